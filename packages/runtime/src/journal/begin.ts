import type {
  Attempt,
  JournalRequestBegin,
  KeyReservation,
  Spend,
  TimeMs,
} from "@connectors/domain";
import { refuseAdmission } from "./admission.js";
import { describeAttempt } from "./attempt-facts.js";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime, type FlooredTime } from "./floored-time.js";
import { isReservationLive } from "./key-life.js";
import type { JournalLimits } from "./limits.js";
import { refuse, refuseContradiction } from "./refusal.js";
import type { Decision, Rows, RowWrite } from "./rows.js";

/**
 * Step 7: the attempt Prepared, its key Pending and its proof spent, or none of these.
 *
 * A key's live winner is answered before anything can refuse: known results outlive full stores,
 * spent proofs, changed policies and clocks that stepped back.
 */
export function decideBegin(
  request: JournalRequestBegin,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const time = floorTime(rows, request.now_ms, limits);
  const winner = findWinner(request, rows, time.nowMs);
  if (winner !== undefined) return winner;
  const refusal = refuseBegin(request, rows, limits, time);
  if (refusal !== undefined) return refusal;
  const attempt = makeAttempt(request, time.nowMs);
  const facts = {
    ...describeAttempt(attempt),
    kind: "decision",
    kid: request.proof?.kid ?? null,
  } as const;
  return decideWithRecord(rows, time, request.draft, facts, (audit) => {
    const recorded = { ...attempt, audit };
    return {
      answer: { kind: "prepared", attempt: recorded },
      writes: listWrites(request, recorded),
    };
  });
}

function findWinner(request: JournalRequestBegin, rows: Rows, nowMs: TimeMs): Decision | undefined {
  const { reservation, attempt } = rows;
  if (request.attempt.key_namespace === null || reservation === null) return undefined;
  if (!isReservationLive(reservation, nowMs)) return undefined;
  if (attempt === null) return refuseContradiction();
  return { answer: { kind: "exists", reservation, attempt }, writes: [] };
}

function refuseBegin(
  request: JournalRequestBegin,
  rows: Rows,
  limits: JournalLimits,
  time: FlooredTime,
): Decision | undefined {
  if (rows.spend !== null) return refuse("approval_replayed", null, rows.spend.attempt);
  if (rows.attempt?.id === request.attempt.id) return refuse("lifecycle_conflict");
  const { expires_at_ms: expiresAtMs, instance, operation } = request.attempt;
  const admission = { time, expiresAtMs, instance, operation, ...policyAndProof(request) };
  const refusal = refuseAdmission(admission, rows);
  if (refusal !== undefined) return refusal;
  if (rows.attemptCount >= limits.attemptsMax) return refuse("capacity");
  if (rows.auditCount >= limits.auditRecordsMax) return refuse("capacity");
  return undefined;
}

function policyAndProof({
  policy,
  proof,
}: JournalRequestBegin): Pick<JournalRequestBegin, "policy" | "proof"> {
  return { policy, proof };
}

// What the transaction itself decides is not taken from the request: an attempt cannot be born
// dispatched, settled, approved by someone else or at another time.
function makeAttempt(request: JournalRequestBegin, nowMs: TimeMs): Attempt {
  return {
    ...request.attempt,
    state: "Prepared",
    approver: request.proof?.issuer ?? null,
    reference: request.proof?.reference ?? null,
    policy_revision: request.policy.revision,
    created_at_ms: nowMs,
    dispatched_at_ms: null,
    settled_at_ms: null,
    outcome: null,
  };
}

function listWrites(request: JournalRequestBegin, attempt: Attempt): readonly RowWrite[] {
  const writes: RowWrite[] = [{ kind: "insert_attempt", attempt }];
  const { key_namespace: namespace } = attempt;
  if (namespace !== null) {
    const { fingerprint } = request;
    const reservation: KeyReservation = {
      namespace,
      fingerprint,
      attempt: attempt.id,
      state: "Pending",
      expires_at_ms: null,
    };
    writes.push({ kind: "put_reservation", reservation });
  }
  if (request.proof !== null) {
    const { issuer, reference, kid } = request.proof;
    const spend: Spend = {
      issuer,
      reference,
      attempt: attempt.id,
      kid,
      at_ms: attempt.created_at_ms,
    };
    writes.push({ kind: "insert_spend", spend });
  }
  return writes;
}
