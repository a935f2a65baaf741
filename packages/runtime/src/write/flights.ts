import type { AttemptId } from "@connectors/domain";
import type { Clock } from "@connectors/sdk";

/** An attempt whose gate is open: it may have been sent, and its outcome is awaited. */
export interface Flight {
  readonly attempt: AttemptId;
  /** How long its answer may still take, in milliseconds. */
  readonly remainingMs: number;
}

/** What this process has sent, or is about to, and not settled yet. */
export interface Flights {
  /** Notes one from its gate on; the returned function ends it. */
  begin(attempt: AttemptId, limitMs: number): () => void;
  list(): readonly Flight[];
}

/** Nothing in flight. */
export function makeFlights(clock: Clock): Flights {
  const endsAtMs = new Map<AttemptId, number>();
  return {
    begin(attempt, limitMs) {
      endsAtMs.set(attempt, clock.monotonicMs() + limitMs);
      return () => endsAtMs.delete(attempt);
    },
    list() {
      const nowMs = clock.monotonicMs();
      return [...endsAtMs].map(([attempt, endMs]) => {
        return { attempt, remainingMs: Math.max(0, endMs - nowMs) };
      });
    },
  };
}
