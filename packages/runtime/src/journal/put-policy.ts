import { encodeCanonicalPolicyDocument, type JournalRequestPutPolicy } from "@connectors/domain";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { digestOf } from "./measure.js";
import { refuse } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/** Replaces the policy that the caller saw, and no other; from now on unspent proofs are void. */
export function decidePutPolicy(
  request: JournalRequestPutPolicy,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const { policy, expected } = request;
  if (rows.owner?.state !== "live") return refuse("lifecycle_conflict");
  if ((rows.policy?.revision ?? null) !== expected) return refuse("lifecycle_conflict");
  if (policy.revision !== (expected ?? 0) + 1) return refuse("internal");
  if (policy.sha256 !== digestOf(encodeCanonicalPolicyDocument(policy.document))) {
    return refuse("internal");
  }
  const time = floorTime(rows, policy.at_ms, limits);
  const facts = {
    kind: "policy",
    policy_revision: policy.revision,
    detail_sha256: policy.sha256,
  } as const;
  return decideWithRecord(rows, time, request.draft, facts, (audit) => ({
    answer: { kind: "done", audit },
    writes: [{ kind: "insert_policy", policy: { ...policy, at_ms: time.nowMs } }],
  }));
}
