import { randomBytes } from "node:crypto";
import type { Ambient } from "../clock.js";

/** The machine's own clock, timers and chance, for tests over real sockets. */
export function makeSystemAmbient(): Ambient {
  return {
    clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
    timers: {
      after(delayMs, run) {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
    },
    random: { bytes: (count) => new Uint8Array(randomBytes(count)) },
  };
}
