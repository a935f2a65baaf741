import {
  isAttemptTerminal,
  type Attempt,
  type ErrorCode,
  type JournalAnswer,
  type KeptOutcome,
} from "@connectors/domain";
import { makeFixtureOutcome } from "@connectors/runtime/testing";
import { makeFailure } from "@connectors/sdk";
import type { Evidence, Refusal, Sighting, StepEvents, StepStates } from "@connectors/runtime";
import { commit, type Committed } from "./commit.js";
import { anchorOf, beginOf, endOf, gateOf, proofOf } from "./model-requests.js";
import { makeMove, type Turn } from "./turn.js";
import type { CallerState, Move, Wire, World } from "./world.js";

/** Everything that this caller can do next, and that can become of it. */
export function listCallerMoves(turn: Turn): readonly Move[] {
  const caller = turn.world.callers[turn.at];
  if (caller === undefined) return [];
  switch (caller.at) {
    case "observe":
      return look(turn, (sighting) => turn.playing.rules.step("observe", caller, sighting));
    case "recheck":
      return look(turn, (sighting) => turn.playing.rules.step("recheck", caller, sighting));
    case "verify_proof":
      return verifyAndAnchor(turn, caller);
    case "preflight":
      return preflightAndBegin(turn, caller);
    case "gate":
      return gate(turn, caller);
    case "abort":
      return abort(turn, caller);
    case "dispatch":
      return dispatch(turn, caller);
    case "sent":
      return receive(turn, caller.dispatch);
    case "settle":
      return settle(turn, caller);
    case "wait":
      return wait(turn, caller);
    // Passed through within a move, or the end.
    case "capture":
    case "anchor":
    case "begin":
    case "record":
    case "answer":
    case "killed":
      return [];
  }
}

function look(turn: Turn, step: (sighting: Sighting) => CallerState): readonly Move[] {
  const { world, playing, spec } = turn;
  const sighting = playing.rules.look(world.ledger, spec, world.day);
  const moves = [makeMove(turn, world, `sees ${sighting.kind}`, step(sighting))];
  if (world.faultsLeft === 0 || spec.key === null) return moves;
  const blind = { ...world, faultsLeft: world.faultsLeft - 1 };
  const unreadable = step({ kind: "unreadable", failure: broken.failure });
  return [...moves, makeMove(turn, blind, "cannot see its key", unreadable)];
}

function verifyAndAnchor(turn: Turn, state: StepStates["verify_proof"]): readonly Move[] {
  const { step } = turn.playing.rules;
  const refused = step("verify_proof", state, { kind: "refused", refusal: unproved });
  const approval = { proof: proofOf(turn.spec), separation: "none" } as const;
  const verified = step("verify_proof", state, { kind: "verified", approval });
  const moves = [makeMove(turn, turn.world, "shows a bad proof", refused)];
  if (verified.at !== "capture") return moves;
  const captured = step("capture", verified, { kind: "captured" });
  if (captured.at !== "anchor") return moves;
  const { answer, ledger } = turn.playing.store.transact(
    turn.world.ledger,
    anchorOf(turn.spec, turn.world.day),
  );
  const event: StepEvents["anchor"] =
    answer.kind === "done"
      ? { kind: "anchored", audit: answer.audit }
      : { kind: "refused", refusal: broken };
  const anchored = step("anchor", captured, event);
  return [...moves, makeMove(turn, { ...turn.world, ledger }, "anchors", anchored)];
}

function preflightAndBegin(turn: Turn, state: StepStates["preflight"]): readonly Move[] {
  const { rules } = turn.playing;
  const refused = rules.step("preflight", state, { kind: "refused", refusal: unfit });
  const ready = rules.step("preflight", state, { kind: "ready" });
  const moves = [makeMove(turn, turn.world, "is refused by its preflight", refused)];
  if (ready.at !== "begin") return moves;
  const begun = commit(turn, beginOf(turn.at, turn.spec, turn.world.day), (committed, world) =>
    rules.step("begin", ready, readBegun(turn, committed, world)),
  );
  return [...moves, ...begun];
}

function readBegun(turn: Turn, committed: Committed, world: World): StepEvents["begin"] {
  if (committed.kind === "definite") return { kind: "refused", refusal: broken };
  if (committed.kind === "ambiguous") return { kind: "doubtful", refusal: broken };
  const { answer } = committed;
  if (answer.kind === "prepared") return { kind: "prepared", attempt: answer.attempt };
  if (answer.kind === "refused") return { kind: "refused", refusal: refusalOf(answer.code) };
  const sighting = turn.playing.rules.look(world.ledger, turn.spec, world.day);
  return { kind: "found", sighting };
}

function gate(turn: Turn, state: StepStates["gate"]): readonly Move[] {
  const { step } = turn.playing.rules;
  const late = step("gate", state, { kind: "closed", refusal: tooLate });
  const gated = commit(turn, gateOf(turn.at, turn.spec, turn.world.day), (committed) =>
    step("gate", state, readGated(committed)),
  );
  return [makeMove(turn, turn.world, "has no time left", late), ...gated];
}

function readGated(committed: Committed): StepEvents["gate"] {
  if (committed.kind === "definite") return { kind: "closed", refusal: broken };
  if (committed.kind === "ambiguous") return { kind: "doubtful" };
  const { answer } = committed;
  if (answer.kind === "opened" || answer.kind === "conflict") return answer;
  return {
    kind: "closed",
    refusal: refusalOf(answer.kind === "refused" ? answer.code : "internal"),
  };
}

function abort(turn: Turn, state: StepStates["abort"]): readonly Move[] {
  const never = makeFixtureOutcome("not_attempted");
  const request = endOf("abort", turn.at, turn.spec, never, turn.world.day);
  return commit(turn, request, (committed) =>
    turn.playing.rules.step("abort", state, readEnded(committed, ["settled", "conflict"])),
  );
}

function settle(turn: Turn, state: StepStates["settle"]): readonly Move[] {
  const request = endOf("settle", turn.at, turn.spec, state.evidence.kept, turn.world.day);
  return commit(turn, request, (committed) =>
    turn.playing.rules.step("settle", state, readEnded(committed, ["settled"])),
  );
}

function readEnded(
  committed: Committed,
  recorded: readonly JournalAnswer["kind"][],
): { readonly kind: "recorded"; readonly attempt: Attempt } | { readonly kind: "unrecorded" } {
  if (committed.kind !== "acknowledged") return { kind: "unrecorded" };
  const { answer } = committed;
  return (answer.kind === "settled" || answer.kind === "conflict") && recorded.includes(answer.kind)
    ? { kind: "recorded", attempt: answer.attempt }
    : { kind: "unrecorded" };
}

function dispatch(turn: Turn, state: StepStates["dispatch"]): readonly Move[] {
  const unsent = prove(turn, state, makeFixtureOutcome("refused"));
  const sent = changeWire(turn.world, turn.at, (wire) => {
    return { ...wire, sent: wire.sent + 1, inFlight: wire.inFlight + 1, response: "none" };
  });
  return [
    makeMove(turn, turn.world, "proves that it sent nothing", unsent),
    makeMove(turn, sent, "sends", { at: "sent", dispatch: state }),
  ];
}

function receive(turn: Turn, state: StepStates["dispatch"]): readonly Move[] {
  const lost = prove(turn, state, turn.playing.rules.lostAnswer);
  const moves = [makeMove(turn, turn.world, "never hears", lost)];
  const response = turn.world.wires[turn.at]?.response ?? "none";
  if (response === "none") return moves;
  const heard = prove(turn, state, makeFixtureOutcome(response));
  return [...moves, makeMove(turn, turn.world, `hears ${response}`, heard)];
}

function prove(turn: Turn, state: StepStates["dispatch"], kept: KeptOutcome): CallerState {
  const live = { result: null, failure: null, cause: kept.cause, observed: null };
  const evidence: Evidence = { kept, live };
  return turn.playing.rules.step("dispatch", state, { kind: "proved", evidence });
}

function wait(turn: Turn, state: StepStates["wait"]): readonly Move[] {
  const { step } = turn.playing.rules;
  const ended = step("wait", state, { kind: "ended", code: "timeout" });
  const moves = [makeMove(turn, turn.world, "stops waiting", ended)];
  const now = turn.world.ledger.attempts.get(state.attempt.id);
  // Looking in vain changes nothing; only what can be seen to have ended is a move.
  if (now === undefined || !isAttemptTerminal(now.state)) return moves;
  const known = step("wait", state, { kind: "known", attempt: now });
  return [...moves, makeMove(turn, turn.world, "sees it settled", known)];
}

function changeWire(world: World, at: number, change: (wire: Wire) => Wire): World {
  const wire = world.wires[at];
  return wire === undefined ? world : { ...world, wires: world.wires.with(at, change(wire)) };
}

function refusalOf(code: ErrorCode): Refusal {
  return { failure: makeFailure(code, "Refused."), stage: "attempt_store" };
}

const unproved: Refusal = {
  failure: makeFailure("approval_required", "No proof."),
  stage: "approval",
};
const unfit: Refusal = { failure: makeFailure("not_found", "Not there."), stage: "preflight" };
const broken = refusalOf("unavailable");
const tooLate = refusalOf("timeout");
