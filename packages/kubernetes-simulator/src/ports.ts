/** What the simulator needs of its surroundings. `system.ts` has the real ones; tests bring theirs. */

/** The present moment. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Work put off. */
export interface Timers {
  /** Runs `task` once, `delayMs` from now, unless the returned function was called before. */
  readonly after: (delayMs: number, task: () => void) => () => void;
}

/** Unpredictable bytes, for uids, Pod name suffixes, tokens and serial numbers. */
export interface Random {
  /** `count` fresh bytes. */
  readonly bytes: (count: number) => Uint8Array;
}

/** The three together, as every part of the simulator is given them. */
export interface Surroundings {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
}
