import type { Timers } from "./ports.js";

/** Timers that can all be called off at once. */
export interface TimerPool extends Timers {
  readonly cancelAll: () => void;
}

/** A pool over `timers`; once called off it starts nothing any more. */
export function makeTimerPool(timers: Timers): TimerPool {
  const pending = new Set<() => void>();
  let isClosed = false;
  return {
    after: (delayMs, run) => {
      if (isClosed) return () => undefined;
      const cancel = timers.after(delayMs, () => {
        pending.delete(forget);
        run();
      });
      const forget = (): void => {
        pending.delete(forget);
        cancel();
      };
      pending.add(forget);
      return forget;
    },
    cancelAll: () => {
      isClosed = true;
      for (const forget of pending) forget();
    },
  };
}
