import { describe, expect, test } from "vitest";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { startDeadline, withinDeadline, type StopCause } from "./deadline.js";

function start(timeoutMs?: number, signal: AbortSignal = new AbortController().signal) {
  const ambient = makeManualAmbient();
  const fired: StopCause[] = [];
  const deadline = startDeadline({
    timers: ambient.timers,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  deadline.onStop((cause) => fired.push(cause));
  return { ambient, deadline, fired };
}

describe("a deadline", () => {
  test("fires at its time and not a millisecond before, once", () => {
    const { ambient, deadline, fired } = start(15_000);
    ambient.advance(14_999);
    expect(fired).toEqual([]);
    ambient.advance(1);
    ambient.advance(60_000);
    expect(fired).toEqual(["timeout"]);
    expect(deadline.cause).toBe("timeout");
    expect(deadline.signal().aborted).toBe(true);
  });

  test("fires with its caller's signal, and leaves no timer", () => {
    const stop = new AbortController();
    const { ambient, deadline, fired } = start(15_000, stop.signal);
    const { signal } = { signal: deadline.signal() };
    stop.abort();
    expect(fired).toEqual(["stopped"]);
    expect(signal.aborted).toBe(true);
    expect(ambient.pendingTimers()).toBe(0);
  });

  test("tells a signal that timed out from one that was aborted", () => {
    const stop = new AbortController();
    const { fired } = start(15_000, stop.signal);
    stop.abort(new DOMException("late", "TimeoutError"));
    expect(fired).toEqual(["timeout"]);
  });

  test("that has fired tells those who come later at once", () => {
    const { deadline, fired } = start(10, AbortSignal.abort());
    expect(fired).toEqual(["stopped"]);
    deadline.onStop((cause) => fired.push(cause));
    expect(fired).toEqual(["stopped", "stopped"]);
  });

  test("does nothing once it is released", () => {
    const stop = new AbortController();
    const { ambient, deadline, fired } = start(10, stop.signal);
    deadline.release();
    stop.abort();
    ambient.advance(100);
    expect(fired).toEqual([]);
    expect(ambient.pendingTimers()).toBe(0);
  });

  test("without a time waits for its signal alone", () => {
    const stop = new AbortController();
    const { ambient, fired } = start(undefined, stop.signal);
    ambient.advance(10_000_000);
    stop.abort();
    expect(fired).toEqual(["stopped"]);
  });

  test("ends a wait for work that does not end by itself", async () => {
    const { ambient, deadline } = start(10);
    const waiting = withinDeadline(deadline, new Promise<never>(() => undefined));
    ambient.advance(10);
    expect(await waiting).toEqual({ cause: "timeout" });
  });

  test("gives the value of work that ends in time, and lets its bugs through", async () => {
    const { deadline } = start(10);
    expect(await withinDeadline(deadline, Promise.resolve(7))).toEqual({ done: 7 });
    await expect(withinDeadline(deadline, Promise.reject(new Error("bug")))).rejects.toThrow("bug");
  });
});
