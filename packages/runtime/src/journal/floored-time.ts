import type { TimeMs } from "@connectors/domain";
import type { JournalLimits } from "./limits.js";
import { toTimeMs } from "./measure.js";
import type { Rows, RowWrite } from "./rows.js";

/** The time that a transaction goes by. */
export interface FlooredTime {
  readonly nowMs: TimeMs;
  /** The host's clock went back further than a correction does: nothing new may begin by it. */
  readonly steppedBack: boolean;
  /** Keeps this sample, when it is the latest. */
  readonly writes: readonly RowWrite[];
}

/**
 * The host's sample, floored by the store's last one, so that recorded times never go back: a key
 * that expired stays expired, and a proof's window cannot be entered twice.
 */
export function floorTime(rows: Rows, sampleMs: TimeMs, limits: JournalLimits): FlooredTime {
  const later = sampleMs > rows.floorMs;
  return {
    nowMs: later ? sampleMs : toTimeMs(rows.floorMs),
    steppedBack: rows.floorMs - sampleMs > limits.clockBackstepMsMax,
    writes: later ? [{ kind: "raise_floor", floorMs: sampleMs }] : [],
  };
}
