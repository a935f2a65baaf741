/** What a host has begun and not ended, whether or not somebody still waits for it. */
export interface Work {
  /** Tracks `work` until it ends, and gives it back. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is tracked any more, what was begun meanwhile included. */
  settled(): Promise<void>;
}

/** Nothing begun. */
export function makeWork(): Work {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const end = (): boolean => running.delete(work);
      void work.then(end, end);
      return work;
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
