import type { Ambient } from "../clock.js";

/** An ambient that stands still until it is told to move. */
export interface ManualAmbient extends Ambient {
  /** Moves both clocks on by `ms`, running in order what falls due, what those start included. */
  advance(ms: number): void;
  /** Moves the time of day alone, forward or back, as a person or NTP does. */
  shiftNow(ms: number): void;
  /** How many timers wait. */
  pendingTimers(): number;
}

interface Waiting {
  readonly dueMs: number;
  readonly run: () => void;
}

/** 2026-01-01T00:00:00Z: far from any edge of a calendar, a counter or a certificate. */
const startMsDefault = 1_767_225_600_000;

/**
 * A clock, timers and chance that only a test moves: equal seeds give equal bytes, and no time
 * passes by itself.
 */
export function makeManualAmbient(
  options: { readonly startMs?: number; readonly seed?: number } = {},
): ManualAmbient {
  let nowMs = options.startMs ?? startMsDefault;
  let monotonicMs = 0;
  let waiting: readonly Waiting[] = [];

  function takeDue(untilMs: number): Waiting | undefined {
    let first: Waiting | undefined;
    for (const timer of waiting) {
      if (timer.dueMs <= untilMs && (first === undefined || timer.dueMs < first.dueMs)) {
        first = timer;
      }
    }
    waiting = waiting.filter((timer) => timer !== first);
    return first;
  }

  function moveTo(targetMs: number): void {
    nowMs += targetMs - monotonicMs;
    monotonicMs = targetMs;
  }

  return {
    clock: { nowMs: () => nowMs, monotonicMs: () => monotonicMs },
    timers: {
      after(delayMs, run) {
        const timer = { dueMs: monotonicMs + Math.max(0, delayMs), run };
        waiting = [...waiting, timer];
        return () => {
          waiting = waiting.filter((other) => other !== timer);
        };
      },
    },
    random: makeSeededRandom(options.seed ?? 1),
    advance(ms) {
      const untilMs = monotonicMs + ms;
      for (let due = takeDue(untilMs); due !== undefined; due = takeDue(untilMs)) {
        // A timer started in the past of this step is due now; time never steps back.
        moveTo(Math.max(monotonicMs, due.dueMs));
        due.run();
      }
      moveTo(untilMs);
    },
    shiftNow(ms) {
      nowMs += ms;
    },
    pendingTimers: () => waiting.length,
  };
}

/** Bytes that a seed decides (mulberry32); for tests, and for nothing that must be secret. */
function makeSeededRandom(seed: number): Ambient["random"] {
  let state = seed >>> 0;
  return {
    bytes(count) {
      const bytes = new Uint8Array(count);
      for (let at = 0; at < count; at += 1) {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        bytes[at] = (mixed ^ (mixed >>> 14)) & 0xff;
      }
      return bytes;
    },
  };
}
