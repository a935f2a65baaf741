import type { Attempt, AuditPosition } from "@connectors/domain";
import { makeFailure } from "@connectors/sdk";
import type {
  AnswerState,
  Refusal,
  Sighting,
  Step,
  StepEvents,
  StepStates,
  Told,
  WriteState,
} from "./write-state.js";

/** Where a write starts: with its key, or, when the operation has none, with its proof. */
export function startWrite(write: { readonly keyed: boolean }): WriteState {
  return write.keyed ? { at: "observe", alone: false } : { at: "verify_proof" };
}

/** Where a look at a key starts that spends nothing, whatever it finds. */
export function startObserving(): WriteState {
  return { at: "observe", alone: true };
}

/**
 * The state that follows when the step of `state` ended with `event`. Pure.
 *
 * There is one way to `dispatch`, and it leads through a gate that this write opened. There is no
 * way from any state back to it.
 */
export function stepWrite<At extends Step>(
  at: At,
  state: StepStates[At],
  event: StepEvents[At],
): WriteState {
  return transitions[at](state, event);
}

type Transitions = {
  readonly [At in Step]: (state: StepStates[At], event: StepEvents[At]) => WriteState;
};

const transitions: Transitions = {
  observe: ({ alone }, sighting) => {
    if (sighting.kind !== "nothing") return followSighting(sighting, null);
    return alone ? answer({ kind: "nothing" }) : { at: "verify_proof" };
  },
  verify_proof: (_state, event) =>
    event.kind === "verified"
      ? { at: "capture", approval: event.approval }
      : recheck(event.refusal, null),
  capture: ({ approval }, event) =>
    event.kind === "captured" ? { at: "anchor", approval } : recheck(event.refusal, null),
  anchor: ({ approval }, event) =>
    event.kind === "anchored"
      ? { at: "preflight", approval, anchor: event.audit }
      : recheck(event.refusal, null),
  preflight: ({ approval, anchor }, event) =>
    event.kind === "ready" ? { at: "begin", approval, anchor } : recheck(event.refusal, anchor),
  begin: stepBegin,
  gate: stepGate,
  abort: ({ attempt, refusal }, event) =>
    event.kind === "recorded"
      ? answer({ kind: "recorded", attempt: event.attempt, replayed: false })
      : answer({ kind: "unsent", attempt, refusal }),
  dispatch: ({ attempt }, { evidence }) => ({ at: "settle", attempt, evidence }),
  settle: ({ attempt, evidence }, event) =>
    event.kind === "recorded"
      ? answer({ kind: "live", attempt: event.attempt, evidence, recorded: true })
      : answer({ kind: "live", attempt, evidence, recorded: false }),
  recheck: stepRecheck,
  record: ({ next }, { audit }) => withAudit(next, audit),
  wait: stepWait,
};

function stepBegin(
  { approval, anchor }: StepStates["begin"],
  event: StepEvents["begin"],
): WriteState {
  switch (event.kind) {
    case "prepared":
      return { at: "gate", approval, anchor, attempt: event.attempt };
    case "found":
      return followSighting(event.sighting, anchor);
    case "refused":
      return recheck(event.refusal, anchor);
    case "doubtful":
      return answer({ kind: "refused", refusal: event.refusal, audit: anchor });
  }
}

function stepGate({ attempt }: StepStates["gate"], event: StepEvents["gate"]): WriteState {
  switch (event.kind) {
    case "opened":
      return { at: "dispatch", attempt: event.attempt };
    case "closed":
      return { at: "abort", attempt, refusal: event.refusal };
    case "conflict":
      return answerRecorded(event.attempt, false);
    case "doubtful":
      // Never aborted: the gate may be open in the ledger, and then this attempt is unknown.
      return answer({ kind: "unresolved", attempt, code: "unavailable", stage: "attempt_store" });
  }
}

function stepWait({ attempt, looks }: StepStates["wait"], event: StepEvents["wait"]): WriteState {
  switch (event.kind) {
    case "known":
      return answerRecorded(event.attempt, true);
    case "unresolved":
      return { at: "wait", attempt: event.attempt, looks: looks + 1 };
    case "ended":
      // The wait alone ends: nothing of the original is aborted, settled or spent by it.
      return answer({ kind: "unresolved", attempt, code: event.code, stage: "observation" });
  }
}

function stepRecheck(
  { refusal, anchor }: StepStates["recheck"],
  sighting: StepEvents["recheck"],
): WriteState {
  // Another request under this key is no winner of this one: the refusal stands.
  return sighting.kind === "nothing" || sighting.kind === "other_request"
    ? refuse(refusal, anchor)
    : followSighting(sighting, anchor);
}

function followSighting(sighting: Sighting, anchor: AuditPosition | null): WriteState {
  switch (sighting.kind) {
    case "known":
      return leave(anchor, answerRecorded(sighting.attempt, true));
    case "unresolved":
      return leave(anchor, { at: "wait", attempt: sighting.attempt, looks: 0 });
    case "other_request":
      return refuse(conflicting, anchor);
    case "unreadable":
      // Whether this key ever sent anything cannot be seen, and is not guessed.
      return answer({ kind: "unresolved", attempt: null, ...unseen });
    case "nothing":
      // Begin said that the key exists, and it is gone again: nothing was begun here.
      return refuse(vanished, anchor);
  }
}

const unseen = { code: "unavailable", stage: "observation" } as const;

const conflicting: Refusal = {
  failure: makeFailure("idempotency_conflict", "This key stands for another request."),
  stage: "admission",
};

const vanished: Refusal = {
  failure: makeFailure("unavailable", "The ledger's rows for this key contradict each other."),
  stage: "attempt_store",
};

// An anchor that no attempt of this write follows is closed before anything else is done.
function leave(anchor: AuditPosition | null, next: StepStates["wait"] | AnswerState): WriteState {
  return anchor === null ? next : { at: "record", refusal: null, anchor, next };
}

function refuse(refusal: Refusal, anchor: AuditPosition | null): WriteState {
  const next = answer({ kind: "refused", refusal, audit: anchor });
  return { at: "record", refusal, anchor, next };
}

function recheck(refusal: Refusal, anchor: AuditPosition | null): WriteState {
  return { at: "recheck", refusal, anchor };
}

function withAudit(
  next: StepStates["wait"] | AnswerState,
  audit: AuditPosition | null,
): WriteState {
  if (audit === null || next.at !== "answer" || next.told.kind !== "refused") return next;
  return answer({ ...next.told, audit });
}

function answerRecorded(attempt: Attempt, replayed: boolean): AnswerState {
  return answer({ kind: "recorded", attempt, replayed });
}

function answer(told: Told): AnswerState {
  return { at: "answer", told };
}
