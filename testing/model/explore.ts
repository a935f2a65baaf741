import type { Classification } from "@connectors/domain";
import { describeWorld } from "./describe-world.js";
import { classify, findBroken, findLoss, findUndone } from "./invariants.js";
import { makeStore, type Ledger } from "./ledger.js";
import type { Playing } from "./playing.js";
import type { Rules } from "./rules.js";
import type { Scenario } from "./scenario.js";
import { startWorld } from "./start-world.js";
import { listMoves } from "./world-moves.js";
import type { Move, World } from "./world.js";

/** What was found in a scenario's every interleaving. */
export interface Exploration {
  readonly scenario: string;
  readonly states: number;
  readonly transitions: number;
  /** How many different orders of events lead from the start to an end. */
  readonly paths: bigint;
  readonly ends: number;
  /** What callers were told in one interleaving or another. */
  readonly told: ReadonlySet<Classification>;
  /** The shortest way to what is broken, or null. */
  readonly violation: Violation | null;
}

/** What is broken, and how it came to it. */
export interface Violation {
  readonly what: string;
  readonly trace: readonly string[];
}

interface Visited {
  readonly parents: number[];
  readonly labels: string[];
  readonly followers: (readonly number[])[];
}

/** Beyond this a scenario is too large for its machine, and its bounds are the mistake. */
const statesMax = 3_000_000;

/**
 * Visits every state that the scenario's bounds allow, breadth first, and stops at the first that
 * breaks something: so a violation's trace is one of the shortest.
 */
export function explore(scenario: Scenario, rules: Rules): Exploration {
  const playing: Playing = { scenario, rules, store: makeStore(rules.machine) };
  const visited: Visited = { parents: [-1], labels: ["start"], followers: [] };
  const start = startWorld(playing);
  const numbers = new Map([[describeWorld(start), 0]]);
  // A world is let go of once its followers are known: only numbers are kept.
  const worlds: (World | undefined)[] = [start];
  const losses = makeLossMemory();
  let transitions = 0;
  let ends = 0;
  const told = new Set<Classification>();

  function finish(violation: Violation | null): Exploration {
    const { name } = scenario;
    const paths = violation === null ? countPaths(visited.followers) : 0n;
    return { scenario: name, states: worlds.length, transitions, paths, ends, told, violation };
  }

  function follow(from: number, world: World, move: Move): number | Violation {
    const what = move.broke ?? losses(world.ledger, move.world.ledger);
    if (what !== undefined) return { what, trace: [...traceTo(visited, from), move.label] };
    const id = describeWorld(move.world);
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const number = worlds.push(move.world) - 1;
    numbers.set(id, number);
    visited.parents.push(from);
    visited.labels.push(move.label);
    return number;
  }

  for (let number = 0; number < worlds.length; number += 1) {
    if (number > statesMax) throw new Error(`${scenario.name} has more than ${statesMax} states`);
    const world = worlds[number];
    if (world === undefined) continue;
    worlds[number] = undefined;
    const broken = findBroken(playing, world);
    for (const caller of world.callers) {
      if (caller.at === "answer") told.add(classify(caller.told));
    }
    if (broken !== undefined) return finish({ what: broken, trace: traceTo(visited, number) });
    const followers = new Set<number>();
    for (const move of listMoves(playing, world)) {
      const next = follow(number, world, move);
      if (typeof next === "object") return finish(next);
      if (next !== number) followers.add(next);
    }
    transitions += followers.size;
    visited.followers.push([...followers]);
    if (followers.size > 0) continue;
    ends += 1;
    const undone = findUndone(world);
    if (undone !== undefined) return finish({ what: undone, trace: traceTo(visited, number) });
  }
  return finish(null);
}

function traceTo(visited: Visited, number: number): readonly string[] {
  const trace: string[] = [];
  for (let at = number; at > 0; at = visited.parents[at] ?? 0) {
    trace.push(visited.labels[at] ?? "");
  }
  return trace.toReversed();
}

function makeLossMemory(): (before: Ledger, after: Ledger) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (before, after) => {
    if (before === after) return undefined;
    const id = `${before.key} ${after.key}`;
    if (!known.has(id)) known.set(id, findLoss(before, after));
    return known.get(id);
  };
}

// Every move uses something up, so no state comes twice on one path, and paths can be counted from
// their ends: a state's paths are its followers' together.
function countPaths(followers: readonly (readonly number[])[]): bigint {
  const paths: (bigint | undefined)[] = [];
  const stack = [0];
  for (let at = stack.at(-1); at !== undefined; at = stack.at(-1)) {
    const next = followers[at] ?? [];
    const open = paths[at] === undefined ? next.filter((one) => paths[one] === undefined) : [];
    if (open.length > 0) {
      stack.push(...open);
      continue;
    }
    stack.pop();
    paths[at] ??= next.length === 0 ? 1n : next.reduce((sum, one) => sum + (paths[one] ?? 0n), 0n);
  }
  return paths[0] ?? 0n;
}
