import type {
  JournalRequestAbandon,
  JournalRequestAnchor,
  JournalRequestRefusal,
} from "@connectors/domain";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { refuse } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/**
 * Anchors a write before its provider is asked anything.
 *
 * Refused where begin would be refused anyway, so that a full store or a clock that stepped back
 * costs the provider no read.
 */
export function decideAnchor(
  request: JournalRequestAnchor,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const time = floorTime(rows, request.draft.at_ms, limits);
  if (time.steppedBack) return refuse("unavailable");
  if (rows.owner?.state !== "live") return refuse("lifecycle_conflict");
  if (rows.attemptCount >= limits.attemptsMax) return refuse("capacity");
  if (rows.auditCount >= limits.auditRecordsMax) return refuse("capacity");
  return decideWithRecord(rows, time, request.draft, { kind: "anchor" }, (audit) => ({
    answer: { kind: "done", audit },
    writes: [],
  }));
}

/** Records refusals that came before an anchor; a full chain takes no more of them. */
export function decideRefusal(
  request: JournalRequestRefusal,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  if (rows.owner?.state !== "live") return refuse("lifecycle_conflict");
  if (rows.auditCount >= limits.auditRecordsMax) return refuse("capacity");
  const time = floorTime(rows, request.draft.at_ms, limits);
  return decideWithRecord(rows, time, request.draft, { kind: "refusal" }, (audit) => ({
    answer: { kind: "done", audit },
    writes: [],
  }));
}

/** Closes an anchor that no attempt followed; a full chain takes it, for its anchor is in it. */
export function decideAbandon(
  request: JournalRequestAbandon,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  if (rows.owner?.state !== "live") return refuse("lifecycle_conflict");
  const time = floorTime(rows, request.draft.at_ms, limits);
  return decideWithRecord(rows, time, request.draft, { kind: "abandoned" }, (audit) => ({
    answer: { kind: "done", audit },
    writes: [],
  }));
}
