import { stepAttempt, type Attempt, type JournalRequestGate } from "@connectors/domain";
import { refuseAdmission } from "./admission.js";
import { describeAttempt } from "./attempt-facts.js";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { refuse, refuseApproval, refuseContradiction } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/**
 * Step 8: whoever moves the attempt from Prepared to Dispatching may send it, once.
 *
 * Everything that begin checked is checked again, in the transaction that opens the gate: a key
 * revoked or a policy replaced between the two still stops the write.
 */
export function decideGate(
  request: JournalRequestGate,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const { attempt } = rows;
  // Its begin was acknowledged, so its absence is a lost row.
  if (attempt === null) return refuseContradiction();
  const state = stepAttempt(attempt.state, "gate");
  if (state === undefined || attempt.owner !== request.owner) {
    return { answer: { kind: "conflict", attempt }, writes: [] };
  }
  const mismatch = refuseMismatch(attempt, request, rows);
  if (mismatch !== undefined) return mismatch;
  const time = floorTime(rows, request.now_ms, limits);
  const { policy, proof } = request;
  const { expires_at_ms: expiresAtMs, instance, operation } = attempt;
  const refusal = refuseAdmission({ time, policy, proof, expiresAtMs, instance, operation }, rows);
  if (refusal !== undefined) return refusal;
  const facts = {
    ...describeAttempt(attempt),
    kind: "dispatch",
    kid: request.proof?.kid ?? null,
  } as const;
  return decideWithRecord(rows, time, request.draft, facts, (audit) => {
    const opened: Attempt = { ...attempt, state, dispatched_at_ms: time.nowMs, audit };
    return {
      answer: { kind: "opened", attempt: opened },
      writes: [{ kind: "update_attempt", attempt: opened }],
    };
  });
}

// What is shown at the gate is what began: no other proof, key or policy can stand in for it.
function refuseMismatch(
  attempt: Attempt,
  request: JournalRequestGate,
  rows: Rows,
): Decision | undefined {
  const { proof, policy } = request;
  if ((proof?.reference ?? null) !== attempt.reference) return refuse("internal");
  if (policy.revision !== attempt.policy_revision) return refuseApproval("policy_changed");
  if (proof === null) return undefined;
  if (rows.spend?.attempt !== attempt.id) return refuseContradiction();
  return rows.spend.kid === proof.kid ? undefined : refuse("internal");
}
