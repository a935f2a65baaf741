import type { Timers } from "../ports.js";

/** Timers that go off when a test says so. */
export interface ManualTimers extends Timers {
  /** Lets `ms` pass: what falls due goes off in its order. */
  readonly advance: (ms: number) => void;
  /** Lets what is due next go off; false when nothing waits. */
  readonly fireNext: () => boolean;
  /** From now on time passes by itself: what is due next goes off when nothing else runs. */
  readonly release: () => void;
  /** The delays of what has not gone off yet, the nearest first. */
  readonly waitingMs: () => readonly number[];
}

interface Entry {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Timers at time zero, with nothing waiting. */
export function makeManualTimers(): ManualTimers {
  const entries = new Set<Entry>();
  let nowMs = 0;
  let isReleased = false;

  const nearest = (): Entry | undefined =>
    [...entries].toSorted((left, right) => left.dueMs - right.dueMs)[0];
  const fire = (entry: Entry): void => {
    entries.delete(entry);
    nowMs = entry.dueMs;
    entry.run();
  };
  const fireWhenIdle = (): void => {
    setImmediate(() => {
      const entry = nearest();
      if (entry !== undefined) fire(entry);
    });
  };

  return {
    after: (delayMs, run) => {
      const entry = { dueMs: nowMs + delayMs, run };
      entries.add(entry);
      if (isReleased) fireWhenIdle();
      return () => {
        entries.delete(entry);
      };
    },
    advance: (ms) => {
      const untilMs = nowMs + ms;
      for (let next = nearest(); next !== undefined && next.dueMs <= untilMs; next = nearest()) {
        fire(next);
      }
      nowMs = untilMs;
    },
    fireNext: () => {
      const next = nearest();
      if (next !== undefined) fire(next);
      return next !== undefined;
    },
    release: () => {
      isReleased = true;
      for (const _ of entries) fireWhenIdle();
    },
    waitingMs: () => [...entries].map(({ dueMs }) => dueMs - nowMs).toSorted((a, b) => a - b),
  };
}
