/** The time of day, in milliseconds since the epoch, and a clock that never steps back. */
export interface Clock {
  nowMs(): number;
  /** Milliseconds since some fixed moment; measures waits and deadlines. */
  monotonicMs(): number;
}

/** Runs something later; nothing below an adapter owns a timer. */
export interface Timers {
  /** Calls `run` once, `delayMs` from now, unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
}

/** Unpredictable bytes. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** What a host is given of the world's time and chance. */
export interface Ambient {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
}
