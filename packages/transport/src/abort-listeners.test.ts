import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { listenForAbort } from "./abort-listeners.js";

describe("a signal that many requests share", () => {
  test("carries one listener, and tells all of them once", () => {
    const stop = new AbortController();
    const told: number[] = [];
    for (let n = 0; n < 100; n += 1) listenForAbort(stop.signal, () => told.push(n));
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
    stop.abort();
    stop.abort();
    expect(told).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  test("tells nobody who no longer listens, and those who listen again", () => {
    const stop = new AbortController();
    const told: string[] = [];
    listenForAbort(stop.signal, () => told.push("gone"))();
    listenForAbort(stop.signal, () => told.push("here"));
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
    stop.abort();
    expect(told).toEqual(["here"]);
  });
});
