import { describe, expect, test } from "vitest";
import { makeManualAmbient } from "./manual-ambient.js";

function bytes(seed: number): string {
  return Buffer.from(makeManualAmbient({ seed }).random.bytes(16)).toString("hex");
}

describe("a manual ambient", () => {
  test("runs what falls due in the order of its time, then of its start", () => {
    const ambient = makeManualAmbient();
    const ran: string[] = [];
    ambient.timers.after(20, () => ran.push("late"));
    ambient.timers.after(10, () => ran.push("first"));
    ambient.timers.after(10, () => ran.push("second"));
    ambient.advance(9);
    expect(ran).toEqual([]);
    ambient.advance(1);
    expect(ran).toEqual(["first", "second"]);
    ambient.advance(10);
    expect(ran).toEqual(["first", "second", "late"]);
    expect(ambient.pendingTimers()).toBe(0);
  });

  test("shows each timer the moment it was due at, and runs those that it starts", () => {
    const ambient = makeManualAmbient();
    const seen: number[] = [];
    ambient.timers.after(10, () => {
      seen.push(ambient.clock.monotonicMs());
      ambient.timers.after(5, () => seen.push(ambient.clock.monotonicMs()));
    });
    ambient.advance(100);
    expect(seen).toEqual([10, 15]);
    expect(ambient.clock.monotonicMs()).toBe(100);
  });

  test("forgets a cancelled timer", () => {
    const ambient = makeManualAmbient();
    const ran: string[] = [];
    const cancel = ambient.timers.after(10, () => ran.push("never"));
    cancel();
    ambient.advance(100);
    expect(ran).toEqual([]);
  });

  test("shifts the time of day without moving the other clock", () => {
    const ambient = makeManualAmbient({ startMs: 1000 });
    ambient.advance(10);
    ambient.shiftNow(-500);
    expect(ambient.clock.nowMs()).toBe(510);
    expect(ambient.clock.monotonicMs()).toBe(10);
  });

  test("gives equal bytes for equal seeds and others for others", () => {
    expect(bytes(7)).toBe(bytes(7));
    expect(bytes(7)).not.toBe(bytes(8));
  });
});
