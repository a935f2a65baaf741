import type { JournalRequestOpenOwner } from "@connectors/domain";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { refuse } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/** Registers a process, once: a nonce that was ever used names an owner that may be dead. */
export function decideOpenOwner(
  request: JournalRequestOpenOwner,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const { owner, draft } = request;
  if (rows.owner !== null) return refuse("lifecycle_conflict");
  if (owner.state !== "live" || owner.closed_at_ms !== null) return refuse("internal");
  const time = floorTime(rows, owner.opened_at_ms, limits);
  const facts = { kind: "owner", owner: owner.nonce } as const;
  return decideWithRecord(rows, time, draft, facts, (audit) => ({
    answer: { kind: "done", audit },
    writes: [{ kind: "put_owner", owner: { ...owner, opened_at_ms: time.nowMs } }],
  }));
}
