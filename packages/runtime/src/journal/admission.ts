import type {
  Approver,
  OperationId,
  PolicyReference,
  ProofFacts,
  RefusalReason,
  StoredPolicy,
  TimeMs,
} from "@connectors/domain";
import { findKeyFault, isApproverFor } from "../approvals/approver-standing.js";
import type { FlooredTime } from "./floored-time.js";
import { refuse, refuseApproval } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/** What begin and gate check alike, each inside its own transaction. */
export interface Admission {
  readonly time: FlooredTime;
  readonly policy: PolicyReference;
  readonly proof: ProofFacts | null;
  readonly expiresAtMs: TimeMs;
  readonly instance: string;
  readonly operation: OperationId;
}

/** Why this attempt may not go on, or undefined. */
export function refuseAdmission(admission: Admission, rows: Rows): Decision | undefined {
  if (admission.time.steppedBack) return refuse("unavailable");
  // Its lock was taken by another process, which closed everything that this one had open.
  if (rows.owner?.state !== "live") return refuse("lifecycle_conflict");
  if (!isPolicyCurrent(admission.policy, rows.policy)) return refuseApproval("policy_changed");
  if (admission.time.nowMs >= admission.expiresAtMs) return refuseApproval("expired");
  if (admission.proof === null) return undefined;
  const reason = findProofFault(admission, admission.proof, rows.approver);
  return reason === undefined ? undefined : refuseApproval(reason);
}

function isPolicyCurrent(named: PolicyReference, stored: StoredPolicy | null): boolean {
  return (
    stored !== null &&
    stored.document.id === named.id &&
    stored.revision === named.revision &&
    stored.sha256 === named.sha256
  );
}

function findProofFault(
  admission: Admission,
  proof: ProofFacts,
  approver: Approver | null,
): RefusalReason | undefined {
  const { nowMs } = admission.time;
  if (nowMs < proof.nbf_ms) return "not_yet_valid";
  if (nowMs >= proof.exp_ms) return "expired";
  const standing = { issuer: proof.issuer, nbfMs: proof.nbf_ms, nowMs };
  const fault = findKeyFault(approver, standing);
  if (fault !== undefined || approver === null) return fault ?? "unknown_key";
  return isApproverFor(approver, admission.operation, admission.instance)
    ? undefined
    : "not_permitted";
}
