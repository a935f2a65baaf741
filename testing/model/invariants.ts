import {
  decideAttemptObservation,
  isAttemptTerminal,
  stepAttempt,
  attemptEventValues,
  type Attempt,
  type Classification,
} from "@connectors/domain";
import { fixtureNonce } from "@connectors/runtime/testing";
import type { Told } from "@connectors/runtime";
import { describeAttempt, type Ledger } from "./ledger.js";
import { attemptIdOf, namespaceOf, proofOf } from "./model-requests.js";
import type { Playing } from "./playing.js";
import type { Wire, World } from "./world.js";

/** What this world breaks, or undefined. */
export function findBroken(playing: Playing, world: World): string | undefined {
  return (
    findSecondDispatch(playing, world) ??
    findFalseRow(world) ??
    findSecondAttempt(world.ledger) ??
    findFalseAnswer(playing, world) ??
    findFalseDeath(playing, world)
  );
}

function findSecondDispatch({ scenario }: Playing, { wires, ledger }: World): string | undefined {
  if (wires.some((wire) => wire.sent > 1)) return "an attempt was sent twice";
  const proofs = new Map<string, number>();
  const keys = new Map<string, number>();
  for (const [at, spec] of scenario.writes.entries()) {
    const sent = wires[at]?.sent ?? 0;
    const { reference } = proofOf(spec);
    proofs.set(reference, (proofs.get(reference) ?? 0) + sent);
    const key = `${spec.key ?? `none ${at}`} ${spec.day}`;
    keys.set(key, (keys.get(key) ?? 0) + sent);
  }
  if ([...proofs.values()].some((sent) => sent > 1)) return "a proof was sent twice";
  if ([...keys.values()].some((sent) => sent > 1)) return "a live key was sent twice";
  const spent = [...ledger.attempts.values()].map((attempt) => attempt.reference);
  return new Set(spent).size < spent.length ? "a proof has two attempts" : undefined;
}

// What the ledger says of an attempt must be true of the wire, now and whatever comes.
function findFalseRow({ ledger, wires }: World): string | undefined {
  for (const [at, wire] of wires.entries()) {
    const attempt = ledger.attempts.get(attemptIdOf(at));
    if (attempt === undefined) {
      if (wire.sent > 0) return "something was sent without an attempt";
      continue;
    }
    const { kind } = decideAttemptObservation({ state: attempt.state });
    if (isFalse(kind, wire)) return `the ledger says ${attempt.state}, and the wire says otherwise`;
    if (attempt.state === "Prepared" && wire.sent > 0) return "something was sent before its gate";
  }
  return undefined;
}

function isFalse(classification: Classification, wire: Wire): boolean {
  switch (classification) {
    case "not_attempted":
      return wire.sent > 0;
    case "refused":
      return wire.applied > 0 || wire.inFlight > 0;
    case "applied":
      return wire.applied === 0;
    case "unknown":
      return false;
  }
}

// A key's attempts follow each other: a next one only after a known end, and its retention.
function findSecondAttempt(ledger: Ledger): string | undefined {
  for (const [key, { attempt: newest }] of ledger.reservations) {
    const attempts = [...ledger.attempts.values()].filter((one) => one.key_namespace === key);
    const days = new Set(attempts.map((attempt) => attempt.expires_at_ms));
    if (days.size < attempts.length) return "a live key has two attempts";
    const replaced = attempts.filter((attempt) => attempt.id !== newest);
    if (replaced.some((attempt) => !isKnown(attempt))) return "an unknown key was used again";
  }
  return undefined;
}

function isKnown(attempt: Attempt): boolean {
  return isAttemptTerminal(attempt.state) && attempt.state !== "Indeterminate";
}

function findFalseAnswer({ scenario }: Playing, world: World): string | undefined {
  for (const [at, caller] of world.callers.entries()) {
    if (caller.at !== "answer") continue;
    const attempt = attemptOf(caller.told);
    const about =
      attempt === null ? at : world.wires.findIndex((_, n) => attemptIdOf(n) === attempt.id);
    const wire = world.wires[about];
    const classification = classify(caller.told);
    if (wire === undefined || isFalse(classification, wire)) {
      return `a caller was told ${classification}, and the wire says otherwise`;
    }
    const spec = scenario.writes[at];
    if (spec !== undefined && attempt !== null && attempt.key_namespace !== namespaceOf(spec)) {
      return "a caller was told of another key's attempt";
    }
    if (isContradicted(caller.told, world.ledger)) return "the ledger contradicts an answer";
  }
  return undefined;
}

function attemptOf(told: Told): Attempt | null {
  return "attempt" in told ? told.attempt : null;
}

/** What a caller was told of the effect. */
export function classify(told: Told): Classification {
  switch (told.kind) {
    case "nothing":
    case "refused":
    case "unsent":
      return "not_attempted";
    case "recorded":
      return decideAttemptObservation({ state: told.attempt.state }).kind;
    case "live":
      return told.evidence.kept.classification;
    case "unresolved":
      return "unknown";
  }
}

// What was recorded when it was told is recorded still.
function isContradicted(told: Told, ledger: Ledger): boolean {
  if (told.kind !== "recorded" && !(told.kind === "live" && told.recorded)) return false;
  if (!isAttemptTerminal(told.attempt.state)) return false;
  const now = ledger.attempts.get(told.attempt.id);
  return now === undefined || describeAttempt(now) !== describeAttempt(told.attempt);
}

function findFalseDeath({ scenario }: Playing, { ledger, processes }: World): string | undefined {
  if (scenario.locksFail) return undefined;
  for (const [number, process] of processes) {
    const dead = ledger.owners.get(fixtureNonce(number))?.state === "dead";
    if (dead && process.alive) return "a living process was declared dead";
  }
  return undefined;
}

/** What going from one ledger to the next loses, or undefined. */
export function findLoss(before: Ledger, after: Ledger): string | undefined {
  if (before === after) return undefined;
  for (const [id, attempt] of before.attempts) {
    const now = after.attempts.get(id);
    if (now === undefined) return "an attempt vanished";
    if (!isFollowing(attempt, now)) return "an attempt's record was rewritten";
  }
  for (const [reference, spend] of before.spends) {
    if (after.spends.get(reference)?.attempt !== spend.attempt) return "a spent proof came back";
  }
  for (const [key, reservation] of before.reservations) {
    const now = after.reservations.get(key);
    if (now === undefined) return "a key was forgotten";
    if (reservation.state === "Quarantined" && now.state !== "Quarantined") {
      return "a quarantined key came back";
    }
  }
  return undefined;
}

function isFollowing(before: Attempt, after: Attempt): boolean {
  if (describeAttempt(before) === describeAttempt(after)) return true;
  return attemptEventValues.some((event) => stepAttempt(before.state, event) === after.state);
}

/** What is left undone in a world where nothing more can happen, or undefined. */
export function findUndone(world: World): string | undefined {
  if (world.callers.some((caller) => caller.at !== "answer" && caller.at !== "killed")) {
    return "a caller was never answered";
  }
  const open = [...world.ledger.attempts.values()].some((one) => !isAttemptTerminal(one.state));
  return open ? "an attempt stayed open" : undefined;
}
