import type { AttemptId, ErrorCode, RefusalReason } from "@connectors/domain";
import type { Decision } from "./rows.js";

/** A decision that writes nothing, and says why. */
export function refuse(
  code: ErrorCode,
  reason: RefusalReason | null = null,
  attempt: AttemptId | null = null,
): Decision {
  return { answer: { kind: "refused", code, reason, attempt }, writes: [] };
}

/** A decision that writes nothing because the approval does not cover this, here, now. */
export function refuseApproval(reason: RefusalReason): Decision {
  return refuse("approval_refused", reason);
}

/** A decision that writes nothing because rows contradict each other: never taken for absence. */
export function refuseContradiction(): Decision {
  return refuse("unavailable");
}
