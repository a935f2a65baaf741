import {
  encodeCanonicalKeptOutcome,
  keptResultBytesMax,
  stepAttempt,
  type Attempt,
  type AttemptEvent,
  type AuditKind,
  type JournalRequestAbort,
  type JournalRequestSettle,
  type KeptOutcome,
} from "@connectors/domain";
import { encodeCanonical } from "@connectors/sdk";
import { describeAttempt, describeOutcome } from "./attempt-facts.js";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { refuse, refuseContradiction } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";
import { closeAttempt } from "./close-attempt.js";

/** Step 10: attempt, key, kept result and final audit; neither clock nor full chain stop it. */
export function decideSettle(
  request: JournalRequestSettle,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const event = findSettlingEvent(request.outcome);
  return event === undefined ? refuse("internal") : decideEnd(request, rows, limits, event);
}

/** Ends a Prepared attempt whose gate stays shut; its key answers with `not_attempted`. */
export function decideAbort(
  request: JournalRequestAbort,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  if (request.outcome.classification !== "not_attempted") return refuse("internal");
  return decideEnd(request, rows, limits, "abort");
}

function findSettlingEvent(outcome: KeptOutcome): AttemptEvent | undefined {
  switch (outcome.classification) {
    case "applied":
      return "complete";
    case "refused":
      return "refuse";
    case "unknown":
      return "lose";
    case "not_attempted":
      return undefined;
  }
}

function decideEnd(
  request: JournalRequestAbort | JournalRequestSettle,
  rows: Rows,
  limits: JournalLimits,
  event: AttemptEvent,
): Decision {
  const { attempt } = rows;
  // Its begin was acknowledged, so its absence is a lost row.
  if (attempt === null) return refuseContradiction();
  if (isRepeated(attempt, request.outcome)) {
    return { answer: { kind: "settled", attempt, repeated: true }, writes: [] };
  }
  const state = stepAttempt(attempt.state, event);
  if (state === undefined || attempt.owner !== request.owner) {
    return { answer: { kind: "conflict", attempt }, writes: [] };
  }
  if (!mayBeKept(attempt, request.outcome)) return refuse("internal");
  const time = floorTime(rows, request.now_ms, limits);
  const kind: AuditKind = event === "abort" ? "abandoned" : "outcome";
  const facts = { ...describeAttempt(attempt), ...describeOutcome(request.outcome), kind };
  return decideWithRecord(rows, time, request.draft, facts, (audit) => {
    const closed = closeAttempt(
      { attempt, reservation: rows.reservation, state, outcome: request.outcome, audit },
      time.nowMs,
      limits,
    );
    return {
      answer: { kind: "settled", attempt: closed.attempt, repeated: false },
      writes: closed.writes,
    };
  });
}

// The same bytes again are the same fact, whoever repeats it; its record is the first one's.
function isRepeated(attempt: Attempt, outcome: KeptOutcome): boolean {
  return (
    attempt.outcome !== null &&
    encodeCanonicalKeptOutcome(attempt.outcome) === encodeCanonicalKeptOutcome(outcome)
  );
}

// A result is kept for replays alone, so that nothing can print what must never be stored.
function mayBeKept(attempt: Attempt, outcome: KeptOutcome): boolean {
  if (outcome.result === null) return true;
  if (attempt.key_namespace === null) return false;
  return Buffer.byteLength(encodeCanonical(outcome.result)) <= keptResultBytesMax;
}
