import {
  stepApproverKey,
  type Approver,
  type ApproverKeyEvent,
  type JournalRequestPutApprover,
  type ApproverKeyState,
} from "@connectors/domain";
import { encodeCanonical } from "@connectors/sdk";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { digestOf } from "./measure.js";
import { refuse } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/**
 * Adds an approver's key, or moves its state along its lifecycle; nothing else of it ever changes.
 *
 * A full chain takes it: revoking must always be possible.
 */
export function decidePutApprover(
  request: JournalRequestPutApprover,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const { approver } = request;
  if (rows.owner?.state !== "live") return refuse("lifecycle_conflict");
  const refusal = rows.approver === null ? refuseNew(approver, rows, limits) : undefined;
  if (refusal !== undefined) return refusal;
  if (rows.approver !== null && !isMove(rows.approver, approver)) {
    return refuse("lifecycle_conflict");
  }
  const time = floorTime(rows, approver.changed_at_ms, limits);
  const stored: Approver = {
    ...approver,
    created_at_ms: rows.approver?.created_at_ms ?? time.nowMs,
    changed_at_ms: time.nowMs,
  };
  const facts = {
    kind: "approver",
    approver: stored.name,
    kid: stored.kid,
    detail_sha256: digestOf(stored.public_key),
  } as const;
  return decideWithRecord(rows, time, request.draft, facts, (audit) => ({
    answer: { kind: "done", audit },
    writes: [{ kind: "put_approver", approver: stored }],
  }));
}

function refuseNew(approver: Approver, rows: Rows, limits: JournalLimits): Decision | undefined {
  if (approver.state !== "active") return refuse("lifecycle_conflict");
  if (rows.approverCount >= limits.approversMax) return refuse("capacity");
  return undefined;
}

function isMove(from: Approver, to: Approver): boolean {
  const event = findEvent(to.state);
  return (
    event !== undefined &&
    stepApproverKey(from.state, event) === to.state &&
    encodeWithoutState(from) === encodeWithoutState(to)
  );
}

function findEvent(state: ApproverKeyState): ApproverKeyEvent | undefined {
  switch (state) {
    case "active":
      return undefined;
    case "retired":
      return "retire";
    case "revoked":
      return "revoke";
  }
}

function encodeWithoutState({ name, kid, public_key, operations, adapters }: Approver): string {
  return encodeCanonical([name, kid, public_key, operations, adapters]);
}
