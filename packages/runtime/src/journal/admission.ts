import {
  proofLifetimeS,
  type Approver,
  type OperationId,
  type PolicyReference,
  type ProofFacts,
  type RefusalReason,
  type StoredPolicy,
  type TimeMs,
} from "@connectors/domain";
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
  if (approver === null || approver.name !== proof.issuer) return "unknown_key";
  if (!isKeyGoodFor(approver, proof, nowMs)) return "revoked_key";
  return isPermitted(approver, admission) ? undefined : "not_permitted";
}

// A retired key verifies what it signed before, for as long as that could have been good, so that a
// rotation refuses no honest approval. What it signed afterwards it had no right to sign.
function isKeyGoodFor(approver: Approver, proof: ProofFacts, nowMs: TimeMs): boolean {
  switch (approver.state) {
    case "active":
      return true;
    case "retired":
      return (
        proof.nbf_ms <= approver.changed_at_ms &&
        nowMs < approver.changed_at_ms + proofLifetimeS * 1000
      );
    case "revoked":
      return false;
  }
}

function isPermitted(approver: Approver, admission: Admission): boolean {
  return (
    includesOrAll(approver.operations, admission.operation) &&
    includesOrAll(approver.adapters, admission.instance)
  );
}

function includesOrAll(list: readonly string[], name: string): boolean {
  return list.includes("*") || list.includes(name);
}
