import { randomBytes } from "node:crypto";
import type { Ambient } from "@connectors/sdk";

/** The machine's clock, timers and randomness: what a composition root hands down. */
export function makeAmbient(): Ambient {
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
