import type { JournalRequestReleaseOwner } from "@connectors/domain";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { refuse } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/** Ends a process in order; refused while any of its attempts is open: nobody would close it. */
export function decideReleaseOwner(
  request: JournalRequestReleaseOwner,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const { owner } = rows;
  if (owner?.state !== "live" || rows.openAttempts.length > 0) return refuse("lifecycle_conflict");
  const time = floorTime(rows, request.now_ms, limits);
  const facts = { kind: "owner", owner: owner.nonce } as const;
  return decideWithRecord(rows, time, request.draft, facts, (audit) => ({
    answer: { kind: "done", audit },
    writes: [
      { kind: "put_owner", owner: { ...owner, state: "released", closed_at_ms: time.nowMs } },
    ],
  }));
}
