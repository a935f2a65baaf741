import type { Ambient } from "@connectors/sdk";

/** A write of another process takes about a flush of the disk, so the first look comes soon. */
const delayMsMin = 1;
/** Past this, waiting longer costs more than looking. */
const delayMsMax = 16;

/** Waits a little longer each time, and never quite as long as its neighbours. */
export interface Backoff {
  /** Runs once after the next delay. */
  wait(run: () => void): void;
  /** Starts over with the shortest delay. */
  reset(): void;
}

/** A backoff that has not waited yet. */
export function makeBackoff({ timers, random }: Ambient): Backoff {
  let delayMs = delayMsMin;
  return {
    wait: (run) => {
      const share = (random.bytes(1)[0] ?? 0) / 256;
      timers.after(delayMs * (0.5 + share), run);
      delayMs = Math.min(delayMs * 2, delayMsMax);
    },
    reset: () => {
      delayMs = delayMsMin;
    },
  };
}
