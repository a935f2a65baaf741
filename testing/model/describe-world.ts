import { unreachable } from "@connectors/sdk";
import type { Told } from "@connectors/runtime";
import type { CallerState, Wire, World } from "./world.js";

/** A text that two worlds share when nothing that can follow tells them apart. */
export function describeWorld(world: World): string {
  const { ledger, day, crashesLeft, faultsLeft } = world;
  const processes = [...world.processes.values()].map(
    ({ alive, poisoned, lock }) => `${alive ? "a" : "d"}${poisoned ? "p" : ""}${lock[0]}`,
  );
  const callers = world.callers.map(describeCaller);
  const wires = world.wires.map(describeWire);
  const counters = `${day}${crashesLeft}${faultsLeft}`;
  return [ledger.key, counters, ...processes, ...callers, ...wires].join(" ");
}

function describeWire({ sent, inFlight, applied, response }: Wire): string {
  return `${sent}${inFlight}${applied}${response[0]}`;
}

// Which refusal it was changes words alone; that it was one is what counts.
function describeCaller(caller: CallerState): string {
  switch (caller.at) {
    case "observe":
      return caller.alone ? "observe-alone" : "observe";
    case "recheck":
      return caller.anchor === null ? "recheck" : "recheck-anchored";
    case "settle":
      return `settle-${caller.evidence.kept.classification}`;
    case "wait":
      return `wait-${caller.attempt.id}`;
    case "answer":
      return `answer-${describeTold(caller.told)}`;
    case "verify_proof":
    case "capture":
    case "anchor":
    case "preflight":
    case "begin":
    case "gate":
    case "abort":
    case "dispatch":
    case "sent":
    case "record":
    case "killed":
      return caller.at;
  }
}

function describeTold(told: Told): string {
  switch (told.kind) {
    case "nothing":
    case "refused":
    case "unresolved":
      return told.kind;
    case "recorded":
    case "unsent":
      return `${told.kind}-${told.attempt.id}-${told.attempt.state}`;
    case "live":
      return `live-${told.evidence.kept.classification}-${String(told.recorded)}`;
    default:
      return unreachable(told);
  }
}
