import type { JournalAnswer } from "@connectors/domain";
import { holds, type NamedRequest } from "./ledger.js";
import { makeMove, type Turn } from "./turn.js";
import type { CallerState, Move, World } from "./world.js";

/** What a commit came to, for the process that waits for it. */
export type Committed =
  | { readonly kind: "acknowledged"; readonly answer: JournalAnswer }
  | { readonly kind: "definite" }
  | { readonly kind: "ambiguous" };

/**
 * Every way in which this commit can end: acknowledged, rolled back, lost unwritten, written and
 * unacknowledged. After the last two the process writes no more.
 */
export function commit(
  turn: Turn,
  named: NamedRequest,
  follow: (committed: Committed, world: World) => CallerState,
): readonly Move[] {
  const { world, playing } = turn;
  // The name's first word is the kind of request, which is all that a trace needs.
  const name = named.name.split(" ", 1)[0] ?? "";
  const definite = { kind: "definite" } as const;
  if (world.processes.get(turn.spec.process)?.poisoned === true) {
    return [makeMove(turn, world, `may not ${name}`, follow(definite, world))];
  }
  const { answer, ledger } = playing.store.transact(world.ledger, named);
  const after = { ...world, ledger };
  const acknowledged = { kind: "acknowledged", answer } as const;
  const moves = [
    acknowledge(turn, after, `${name}: ${answer.kind}`, follow(acknowledged, after), answer),
  ];
  if (playing.rules.acknowledgesEarly) {
    const early = follow(acknowledged, world);
    moves.push(acknowledge(turn, world, `${name}: ${answer.kind}, and lost`, early, answer));
  }
  if (world.faultsLeft === 0) return moves;
  const faulty = { ...world, faultsLeft: world.faultsLeft - 1 };
  const poisoned = poison(faulty, turn.spec.process);
  const ambiguous = { kind: "ambiguous" } as const;
  return [
    ...moves,
    makeMove(turn, faulty, `${name}: rolled back`, follow(definite, faulty)),
    makeMove(turn, poisoned, `${name}: lost`, follow(ambiguous, poisoned)),
    makeMove(
      turn,
      { ...poisoned, ledger },
      `${name}: written, unacknowledged`,
      follow(ambiguous, { ...poisoned, ledger }),
    ),
  ];
}

function acknowledge(
  turn: Turn,
  world: World,
  label: string,
  next: CallerState,
  answer: JournalAnswer,
): Move {
  const move = makeMove(turn, world, label, next);
  if (!holds(answer, world.ledger)) return { ...move, broke: "an acknowledged fact is not there" };
  if (answer.kind === "opened" && turn.world.ledger.approver?.state === "revoked") {
    return { ...move, broke: "a gate opened for a revoked key" };
  }
  return move;
}

function poison(world: World, number: number): World {
  const process = world.processes.get(number);
  if (process === undefined) return world;
  const processes = new Map(world.processes).set(number, { ...process, poisoned: true });
  return { ...world, processes };
}
