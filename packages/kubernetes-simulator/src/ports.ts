/**
 * What the simulator needs of its surroundings; the SDK's `Ambient` fits. `system.ts` has the real
 * ones, tests bring theirs.
 */
export interface Surroundings {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
}

/** The time of day. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

/** Work put off. */
export interface Timers {
  /** Calls `run` once, `delayMs` from now, unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
}

/** Unpredictable bytes, for uids, Pod name suffixes, tokens and serial numbers. */
export interface Random {
  bytes(count: number): Uint8Array;
}
