import type { AuditDraft, AuditPosition, JournalAnswer, TimeMs } from "@connectors/domain";
import { appendRecord } from "./audit-append.js";
import type { FlooredTime } from "./floored-time.js";
import type { Decision, Rows, RowWrite } from "./rows.js";

/** The facts that a record takes from the decision itself, whatever its draft says. */
export type RecordFacts = Partial<AuditDraft> & Pick<AuditDraft, "kind">;

/** A decision that appends one record, and whatever else `build` says of it. */
export function decideWithRecord(
  rows: Rows,
  time: FlooredTime,
  draft: AuditDraft,
  facts: RecordFacts,
  build: (position: AuditPosition) => {
    readonly answer: JournalAnswer;
    readonly writes: readonly RowWrite[];
  },
): Decision {
  const { position, write } = appendRecord(rows.head, makeBody(draft, time.nowMs, facts));
  const { answer, writes } = build(position);
  return { answer, writes: [write, ...writes, ...time.writes] };
}

/** The draft with the decision's own facts and floored time in it. */
export function makeBody(draft: AuditDraft, nowMs: TimeMs, facts: RecordFacts): AuditDraft {
  return { ...draft, ...facts, at_ms: nowMs };
}
