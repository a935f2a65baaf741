import {
  stepAttempt,
  type AttemptEvent,
  type AuditPosition,
  type JournalRequestRecover,
  type KeptOutcome,
} from "@connectors/domain";
import { invariant, makeFailure } from "@connectors/sdk";
import { describeAttempt, describeOutcome } from "./attempt-facts.js";
import { appendRecord } from "./audit-append.js";
import { makeBody } from "./chained-decision.js";
import { closeAttempt } from "./close-attempt.js";
import { floorTime, type FlooredTime } from "./floored-time.js";
import { keepFailure } from "./kept-failure.js";
import type { JournalLimits } from "./limits.js";
import { digestOf, toCounter } from "./measure.js";
import { refuse } from "./refusal.js";
import type { Decision, Rows, RowWrite } from "./rows.js";

/**
 * Closes what a dead owner left open: Prepared was never sent, Dispatching may have been.
 *
 * The caller holds the dead owner's lock. Nothing here can send, or rebuilds a right to send.
 */
export function decideRecover(
  request: JournalRequestRecover,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const { owner } = rows;
  if (request.dead === request.by) return refuse("internal");
  if (owner === null) return refuse("not_found");
  if (owner.state !== "live") {
    return { answer: { kind: "recovered", attempts: [], audit: null }, writes: [] };
  }
  const time = floorTime(rows, request.now_ms, limits);
  const closings = closeAll(request, rows, limits, time);
  const ending = appendRecord(
    closings.head,
    makeBody(request.draft, time.nowMs, {
      kind: "owner",
      owner: request.by,
      count: toCounter(rows.openAttempts.length),
      detail_sha256: digestOf(request.dead),
    }),
  );
  return {
    answer: {
      kind: "recovered",
      attempts: rows.openAttempts.map((open) => open.attempt.id),
      audit: ending.position,
    },
    writes: [
      ...closings.writes,
      ending.write,
      { kind: "put_owner", owner: { ...owner, state: "dead", closed_at_ms: time.nowMs } },
      ...time.writes,
    ],
  };
}

function closeAll(
  request: JournalRequestRecover,
  rows: Rows,
  limits: JournalLimits,
  time: FlooredTime,
): { readonly head: AuditPosition | null; readonly writes: readonly RowWrite[] } {
  const writes: RowWrite[] = [];
  let head = rows.head;
  for (const { attempt, reservation } of rows.openAttempts) {
    const { event, outcome } = attempt.state === "Prepared" ? neverSent : maybeSent;
    const state = stepAttempt(attempt.state, event);
    invariant(state !== undefined, "an open attempt is Prepared or Dispatching");
    const record = appendRecord(
      head,
      makeBody(request.draft, time.nowMs, {
        ...describeAttempt(attempt),
        ...describeOutcome(outcome),
        kind: "recovery",
        owner: request.by,
        detail_sha256: digestOf(request.dead),
      }),
    );
    const { position: audit } = record;
    const closed = closeAttempt(
      { attempt, reservation, state, outcome, audit },
      time.nowMs,
      limits,
    );
    writes.push(record.write, ...closed.writes);
    head = audit;
  }
  return { head, writes };
}

interface Ending {
  readonly event: AttemptEvent;
  readonly outcome: KeptOutcome;
}

const nothingKept = {
  result: null,
  summary: null,
  http_status: null,
  resource_version: null,
} as const;

// After a reservation exists, the same key repeats this answer: only a new key is a new effect.
const neverSent: Ending = {
  event: "abort",
  outcome: {
    ...nothingKept,
    classification: "not_attempted",
    failure: keepFailure(
      makeFailure("interrupted", "The process that prepared this ended before it was sent.", {
        retry: "new_key",
      }),
    ),
    cause: { code: "interrupted", stage: "attempt_store" },
  },
};

const maybeSent: Ending = {
  event: "lose",
  outcome: {
    ...nothingKept,
    classification: "unknown",
    failure: keepFailure(
      makeFailure(
        "outcome_unknown",
        "The process that may have sent this ended without an answer.",
      ),
    ),
    cause: { code: "unavailable", stage: "dispatch" },
  },
};
