import type { Playing } from "./playing.js";
import type { WriteSpec } from "./scenario.js";
import type { CallerState, Move, World } from "./world.js";

/** One caller's turn in one world. */
export interface Turn {
  readonly playing: Playing;
  readonly world: World;
  readonly at: number;
  readonly spec: WriteSpec;
}

/** The move that leaves this caller in `next`. */
export function makeMove(turn: Turn, world: World, label: string, next: CallerState): Move {
  const callers = world.callers.with(turn.at, throughRecord(turn, next));
  return { label: `caller ${turn.at + 1} ${label}`, world: { ...world, callers } };
}

// Writing a refusal down changes nothing that anyone looks at.
function throughRecord(turn: Turn, next: CallerState): CallerState {
  if (next.at !== "record") return next;
  return turn.playing.rules.step("record", next, { kind: "recorded", audit: null });
}
