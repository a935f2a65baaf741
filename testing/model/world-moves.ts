import { isAttemptTerminal, type Attempt, type JournalRequest } from "@connectors/domain";
import {
  fixtureNonce,
  makeFixtureApprover,
  putApproverRequest,
  recoverRequest,
  releaseOwnerRequest,
} from "@connectors/runtime/testing";
import { listCallerMoves } from "./caller-moves.js";
import { attemptIdOf, dayMs } from "./model-requests.js";
import type { Playing } from "./playing.js";
import { keeper } from "./scenario.js";
import type { CallerState, Move, ProcessState, Wire, World } from "./world.js";

/** Everything that can happen next: callers, wires, deaths, recovery, and the world around them. */
export function listMoves(playing: Playing, world: World): readonly Move[] {
  const moves: Move[] = [];
  for (const [at, spec] of playing.scenario.writes.entries()) {
    moves.push(...listCallerMoves({ playing, world, at, spec }), ...listWireMoves(world, at));
  }
  for (const [number, process] of world.processes) {
    moves.push(...listProcessMoves(playing, world, number, process));
  }
  moves.push(...listAmbientMoves(playing, world));
  return moves;
}

function listWireMoves(world: World, at: number): readonly Move[] {
  const wire = world.wires[at];
  if (wire === undefined || wire.inFlight === 0) return [];
  const waits = world.callers[at]?.at === "sent";
  const gone = { ...wire, inFlight: wire.inFlight - 1 };
  const applied = {
    ...gone,
    applied: wire.applied + 1,
    response: waits ? "applied" : "none",
  } as const;
  const refused = { ...gone, response: waits ? "refused" : "none" } as const;
  const label = `request ${at + 1}`;
  return [
    { label: `${label} is applied`, world: putWire(world, at, applied) },
    { label: `${label} is refused`, world: putWire(world, at, refused) },
    { label: `${label} is dropped`, world: putWire(world, at, gone) },
  ];
}

function putWire(world: World, at: number, wire: Wire): World {
  return { ...world, wires: world.wires.with(at, wire) };
}

function listProcessMoves(
  playing: Playing,
  world: World,
  number: number,
  process: ProcessState,
): readonly Move[] {
  const moves: Move[] = [];
  if (playing.rules.mayRecover(process)) moves.push(recover(playing, world, number, process));
  if (!process.alive) return moves;
  const callers = world.callers.filter((_, at) => playing.scenario.writes[at]?.process === number);
  if (callers.every((caller) => caller.at === "answer")) {
    moves.push(exit(playing, world, number, process));
  } else if (world.crashesLeft > 0) {
    const left = { ...world, crashesLeft: world.crashesLeft - 1 };
    moves.push({
      label: `process ${number} is killed`,
      world: kill(playing, left, number, process),
    });
  }
  if (playing.scenario.locksFail && process.lock === "held" && number === 1) {
    const free = { ...process, lock: "free" } as const;
    moves.push({ label: "process 1 loses its lock", world: putProcess(world, number, free) });
  }
  return moves;
}

// In order: the row says released, then the lock goes. Refused while anything is open, and then the
// lock falls free as if it had been killed.
function exit(playing: Playing, world: World, number: number, process: ProcessState): Move {
  const make = (): JournalRequest => releaseOwnerRequest(number, world.day * dayMs);
  const named = { name: `release ${number} ${world.day}`, make };
  const { answer, ledger } = playing.store.transact(world.ledger, named);
  const released = answer.kind === "done" && !process.poisoned;
  const ended = kill(playing, released ? { ...world, ledger } : world, number, process);
  const label = `process ${number} ends ${released ? "in order" : "with attempts open"}`;
  if (!released) return { label, world: ended };
  return { label, world: putProcess(ended, number, { ...process, alive: false, lock: "gone" }) };
}

function kill(playing: Playing, world: World, number: number, process: ProcessState): World {
  const lock = process.lock === "held" ? "free" : process.lock;
  const callers = world.callers.map((caller, at): CallerState => {
    const theirs = playing.scenario.writes[at]?.process === number;
    return theirs && caller.at !== "answer" ? { at: "killed" } : caller;
  });
  // An answer that nobody waits for any more is nothing.
  const wires = world.wires.map((wire, at): Wire => {
    return callers[at]?.at === "sent" ? wire : { ...wire, response: "none" };
  });
  return putProcess({ ...world, callers, wires }, number, { ...process, alive: false, lock });
}

function recover(playing: Playing, world: World, number: number, process: ProcessState): Move {
  const make = (): JournalRequest => recoverRequest(number, keeper, world.day * dayMs);
  const named = { name: `recover ${number} ${world.day}`, make };
  const { ledger } = playing.store.transact(world.ledger, named);
  const done = putProcess({ ...world, ledger }, number, { ...process, lock: "gone" });
  const label = `the keeper recovers process ${number}`;
  if (!playing.rules.recoveryResumes) return { label, world: done };
  return { label, world: resume(done, [...world.ledger.attempts.values()], fixtureNonce(number)) };
}

function resume(world: World, attempts: readonly Attempt[], owner: string): World {
  return attempts
    .filter((attempt) => attempt.owner === owner && !isAttemptTerminal(attempt.state))
    .reduce((now, { id }) => {
      const at = now.wires.findIndex((_, one) => attemptIdOf(one) === id);
      const wire = now.wires[at];
      if (wire === undefined) return now;
      return putWire(now, at, { ...wire, sent: wire.sent + 1, inFlight: wire.inFlight + 1 });
    }, world);
}

function putProcess(world: World, number: number, process: ProcessState): World {
  return { ...world, processes: new Map(world.processes).set(number, process) };
}

function listAmbientMoves(playing: Playing, world: World): readonly Move[] {
  const moves: Move[] = [];
  if (playing.scenario.dayPasses && world.day === 0) {
    moves.push({ label: "a day passes", world: { ...world, day: 1 } });
  }
  if (playing.scenario.revocation && world.ledger.approver?.state === "active") {
    const { ledger } = playing.store.transact(world.ledger, { name: "revoke", make: revocation });
    moves.push({ label: "the approver's key is revoked", world: { ...world, ledger } });
  }
  return moves;
}

function revocation(): JournalRequest {
  const revoke = putApproverRequest(makeFixtureApprover({ state: "revoked" }));
  return { ...revoke, draft: { ...revoke.draft, owner: fixtureNonce(keeper) } };
}
