import { journalBusyMsMax } from "@connectors/domain";
import type { Stop } from "./stop.js";

/** How long a transaction before the gate may wait: its own bound, inside the write's deadline. */
export function journalDeadlineMs(stop: Stop): number {
  return Math.min(journalBusyMsMax, stop.remainingMs());
}
