import type { Timers } from "../ports.js";

/** Keys to look at; a key that waits already is not added again. */
export interface WorkQueue {
  readonly add: (key: string) => void;
  /** Adds the key after a while, whatever happens to it before. */
  readonly addAfter: (key: string, delayMs: number) => void;
}

/** A queue that hands each key to `handle` in a turn of its own. */
export function makeWorkQueue(timers: Timers, handle: (key: string) => void): WorkQueue {
  const waiting = new Set<string>();
  const add = (key: string): void => {
    if (waiting.has(key)) return;
    waiting.add(key);
    timers.after(0, () => {
      waiting.delete(key);
      handle(key);
    });
  };
  return {
    add,
    addAfter: (key, delayMs) => {
      timers.after(delayMs, () => {
        add(key);
      });
    },
  };
}
