import { randomBytes } from "node:crypto";
import type { Ambient } from "@connectors/sdk";

/** The machine's own clocks, timers and chance. */
export const systemAmbient: Ambient = {
  clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
  timers: {
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  },
  random: { bytes: (count) => new Uint8Array(randomBytes(count)) },
};
