import {
  decideAttemptObservation,
  parseFailureBody,
  parseTimestamp3339,
  type AnswerApproval,
  type AnswerAttempt,
  type Attempt,
  type AuditPosition,
  type Cause,
  type Classification,
  type FailureBody,
  type TimeMs,
  type Timestamp3339,
  type WriteAnswer,
} from "@connectors/domain";
import { makeFailure, type Failure } from "@connectors/sdk";
import type { Frozen } from "../freeze/frozen-write.js";
import { trusted } from "../identity/trusted.js";
import { hintForUnknown } from "./unknown-hint.js";
import type { Told } from "./write-state.js";

/** What an answer says besides what was found out. */
export interface AnswerContext {
  readonly frozen: Frozen;
  /** The write's own deadline has passed: a result comes too late to be given. */
  readonly late: boolean;
}

/** A look that was asked for alone may find nothing; everything else is an answer. */
export type AnsweredTold = Exclude<Told, { readonly kind: "nothing" }>;

/** Step 11: the one stable object that says what is known of this write. */
export function makeAnswer(told: AnsweredTold, context: AnswerContext): WriteAnswer {
  switch (told.kind) {
    case "refused":
      return { ...refusedAnswer(told.refusal, context), audit: told.audit };
    case "unsent":
      return {
        ...refusedAnswer(told.refusal, context),
        ...describeAttempt(told.attempt),
      };
    case "recorded":
      return recordedAnswer(told.attempt, told.replayed, context);
    case "live":
      return liveAnswer(told, context);
    case "unresolved": {
      const cause = { code: told.code, stage: told.stage };
      return told.attempt === null
        ? unknownAnswer(cause, hintWithoutAttempt, context)
        : {
            ...unknownAnswer(
              cause,
              hintForUnknown(told.attempt.id, context.frozen.adapter),
              context,
            ),
            ...describeAttempt(told.attempt),
          };
    }
  }
}

const hintWithoutAttempt =
  "Look before acting: run `connectors doctor`, then ask again with the same key.";

function emptyAnswer(classification: Classification, { frozen }: AnswerContext): WriteAnswer {
  return {
    classification,
    result: null,
    failure: null,
    cause: null,
    observed: null,
    attempt: null,
    replayed: false,
    key: frozen.key,
    approval: null,
    audit: null,
  };
}

function refusedAnswer(
  { failure, stage }: Extract<Told, { kind: "refused" }>["refusal"],
  context: AnswerContext,
): WriteAnswer {
  return {
    ...emptyAnswer("not_attempted", context),
    failure: toBody({ ...failure, effect: "none" }),
    cause: { code: failure.code, stage },
  };
}

function unknownAnswer(cause: Cause, hint: string, context: AnswerContext): WriteAnswer {
  const message = "It cannot be said now whether this happened.";
  return {
    ...emptyAnswer("unknown", context),
    failure: toBody(makeFailure("outcome_unknown", message, { hint })),
    cause,
  };
}

// The ledger's word. An attempt that nobody has settled is unknown, whatever it looks like: a read
// of Prepared proves nothing about what its owner does next.
function recordedAnswer(attempt: Attempt, replayed: boolean, context: AnswerContext): WriteAnswer {
  const { kind: classification } = decideAttemptObservation({ state: attempt.state });
  const { outcome } = attempt;
  if (outcome === null) {
    const cause = { code: "unavailable", stage: "observation" } as const;
    const hint = hintForUnknown(attempt.id, context.frozen.adapter);
    return { ...unknownAnswer(cause, hint, context), ...describeAttempt(attempt) };
  }
  return {
    ...emptyAnswer(classification, context),
    result: outcome.result,
    failure: outcome.failure,
    cause: outcome.cause,
    ...describeAttempt(attempt),
    replayed,
  };
}

function liveAnswer(
  { attempt, evidence, recorded }: Extract<Told, { kind: "live" }>,
  context: AnswerContext,
): WriteAnswer {
  const { live, kept } = evidence;
  const withheld = context.late && live.result !== null;
  return {
    ...emptyAnswer(kept.classification, context),
    result: withheld ? null : live.result,
    failure: withheld ? toBody(tooLate) : live.failure,
    cause: withheld ? { code: "timeout", stage: "response" } : causeOf(live.cause, recorded),
    observed: live.observed,
    ...describeAttempt(attempt),
  };
}

const tooLate = makeFailure(
  "timeout",
  "It happened, and its result came after the deadline; the ledger has it as applied.",
  { effect: "applied", retry: "never", hint: "See `connectors attempts show` for what was kept." },
);

// What the dispatch proved stands; that the ledger does not have it is what went wrong last.
function causeOf(cause: Cause | null, recorded: boolean): Cause | null {
  return recorded ? cause : { code: "unavailable", stage: "attempt_store" };
}

function describeAttempt(attempt: Attempt): {
  readonly attempt: AnswerAttempt;
  readonly approval: AnswerApproval | null;
  readonly audit: AuditPosition;
} {
  const { id, state, created_at_ms, settled_at_ms, reference, approver } = attempt;
  const { subject_sha256, separation, audit } = attempt;
  return {
    attempt: {
      id,
      state,
      created_at: toTimestamp(created_at_ms),
      settled_at: settled_at_ms === null ? null : toTimestamp(settled_at_ms),
    },
    approval:
      reference === null || approver === null
        ? null
        : { reference, approver, subject_sha256, separation },
    audit,
  };
}

function toTimestamp(ms: TimeMs): Timestamp3339 {
  return trusted(parseTimestamp3339(new Date(ms).toISOString()), "a time has a timestamp");
}

function toBody(failure: Failure): FailureBody {
  return trusted(parseFailureBody(failure), "a failure keeps its own bounds");
}
