import { randomBytes } from "node:crypto";

import type { Surroundings } from "./ports.js";

/** The machine's clock, timers and randomness. */
export const SYSTEM_SURROUNDINGS: Surroundings = {
  clock: { nowMs: () => Date.now() },
  timers: {
    after: (delayMs, run) => {
      const timer = setTimeout(run, Math.min(delayMs, DELAY_MAX_MS));
      return () => {
        clearTimeout(timer);
      };
    },
  },
  random: { bytes: (count) => randomBytes(count) },
};

// A longer delay would make Node fire at once.
const DELAY_MAX_MS = 2_147_483_647;
