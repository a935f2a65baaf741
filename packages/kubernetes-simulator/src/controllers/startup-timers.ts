import type { Timers } from "../ports.js";

/** Timers that run ahead of time while a cluster starts, so that it opens with everything ready. */
export interface StartupTimers extends Timers {
  /** Runs what is due within `horizonMs` at once, in order; the rest waits as usual after that. */
  readonly settle: (horizonMs: number) => void;
}

interface Task {
  readonly dueMs: number;
  readonly run: () => void;
  cancelled: boolean;
}

// Enough for every Pod of a full store to go through its life.
const TASKS_MAX = 500_000;

/** Timers over `timers`, holding everything until they are settled. */
export function makeStartupTimers(timers: Timers): StartupTimers {
  let held: Task[] | undefined = [];
  let nowMs = 0;
  return {
    after: (delayMs, run) => {
      if (held === undefined) return timers.after(delayMs, run);
      const task: Task = { dueMs: nowMs + delayMs, run, cancelled: false };
      held.push(task);
      return () => {
        task.cancelled = true;
      };
    },
    settle: (horizonMs) => {
      for (let count = 0; count < TASKS_MAX; count += 1) {
        const next = earliest(held ?? []);
        if (next === undefined || next.dueMs > horizonMs) break;
        held = (held ?? []).filter((task) => task !== next);
        nowMs = next.dueMs;
        if (!next.cancelled) next.run();
      }
      const rest = held ?? [];
      held = undefined;
      for (const task of rest) {
        if (!task.cancelled) timers.after(task.dueMs - nowMs, task.run);
      }
    },
  };
}

function earliest(tasks: readonly Task[]): Task | undefined {
  let found: Task | undefined;
  for (const task of tasks) if (found === undefined || task.dueMs < found.dueMs) found = task;
  return found;
}
