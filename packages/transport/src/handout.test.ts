import { describe, expect, test } from "vitest";
import { makeHandout } from "./handout.js";

function start(costMax: number) {
  const calls: string[] = [];
  const handout = makeHandout<string>(costMax, {
    hold: () => calls.push("hold"),
    release: () => calls.push("release"),
  });
  return { handout, calls };
}

describe("a handout", () => {
  test("gives things in their order, to those who ask before and after", async () => {
    const { handout } = start(100);
    const early = handout.next();
    handout.offer("a", 1);
    handout.offer("b", 1);
    handout.offer("c", 1);
    expect([await early, await handout.next(), await handout.next()]).toEqual(["a", "b", "c"]);
  });

  test("holds its giver at its bound and not before, and lets it go when nothing waits", async () => {
    const { handout, calls } = start(10);
    handout.offer("a", 9);
    expect([handout.held, calls]).toEqual([false, []]);
    handout.offer("b", 1);
    handout.offer("c", 50);
    expect([handout.held, calls]).toEqual([true, ["hold"]]);
    await handout.next();
    await handout.next();
    expect(handout.held).toBe(true);
    await handout.next();
    expect([handout.held, calls]).toEqual([false, ["hold", "release"]]);
    handout.offer("d", 10);
    expect(calls).toEqual(["hold", "release", "hold"]);
  });

  test("costs nothing when somebody waits", async () => {
    const { handout, calls } = start(10);
    const next = handout.next();
    handout.offer("large", 1000);
    expect(await next).toBe("large");
    expect(calls).toEqual([]);
  });

  test("gives what waits before its end, and its first end for ever", async () => {
    const { handout } = start(10);
    handout.offer("a", 1);
    handout.end("end");
    handout.end("another");
    handout.offer("late", 1);
    expect([await handout.next(), await handout.next(), await handout.next()]).toEqual([
      "a",
      "end",
      "end",
    ]);
  });

  test("answers who waits with its end", async () => {
    const { handout } = start(10);
    const next = handout.next();
    handout.end("end");
    expect(await next).toBe("end");
  });

  test("drops what waits when it is cleared", async () => {
    const { handout } = start(10);
    handout.offer("a", 1);
    handout.clear();
    handout.end("end");
    expect(await handout.next()).toBe("end");
  });

  test("is asked by one at a time", async () => {
    const { handout } = start(10);
    const next = handout.next();
    await expect(handout.next()).rejects.toThrow("invariant broken");
    handout.end("end");
    expect(await next).toBe("end");
  });
});
