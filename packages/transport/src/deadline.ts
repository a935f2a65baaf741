import { makeFailure, type Failure, type Timers } from "@connectors/sdk";
import { listenForAbort } from "./abort-listeners.js";

/** Why a call is given up: its time is over, or its caller stopped it. */
export type StopCause = "timeout" | "stopped";

/** One call's time, joined with its caller's signal; fires once. */
export interface Deadline {
  /** What fired, if anything did. */
  readonly cause: StopCause | undefined;
  /** A signal that fires with it, for a port that takes one. */
  signal(): AbortSignal;
  /** Runs `listener` when it fires, at once if it has; the returned function forgets it. */
  onStop(listener: (cause: StopCause) => void): () => void;
  /** Stops timing and listening. A fired deadline stays fired. */
  release(): void;
}

/** A deadline of `timeoutMs` from now, or of the signal alone when no time is given. */
export function startDeadline(options: {
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}): Deadline {
  const { timers, signal, timeoutMs } = options;
  const listeners = new Set<(cause: StopCause) => void>();
  let cause: StopCause | undefined;
  let controller: AbortController | undefined;
  let stopTimer: (() => void) | undefined;
  let stopListening: (() => void) | undefined;

  function release(): void {
    stopTimer?.();
    stopTimer = undefined;
    stopListening?.();
    listeners.clear();
  }
  function fire(why: StopCause): void {
    if (cause !== undefined) return;
    cause = why;
    const waiting = [...listeners];
    release();
    controller?.abort();
    for (const listener of waiting) listener(why);
  }
  function onAbort(): void {
    fire(isTimeout(signal.reason) ? "timeout" : "stopped");
  }

  if (signal.aborted) onAbort();
  else {
    stopListening = listenForAbort(signal, onAbort);
    if (timeoutMs !== undefined) stopTimer = timers.after(timeoutMs, () => fire("timeout"));
  }
  return {
    get cause() {
      return cause;
    },
    signal() {
      controller ??= new AbortController();
      if (cause !== undefined) controller.abort();
      return controller.signal;
    },
    onStop(listener) {
      if (cause !== undefined) listener(cause);
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    release,
  };
}

/** What `work` gives, or why the deadline fired first; the work's own end is then ignored. */
export async function withinDeadline<T>(
  deadline: Deadline,
  work: Promise<T>,
): Promise<{ readonly done: T } | { readonly cause: StopCause }> {
  let forget: (() => void) | undefined;
  const stopped = new Promise<{ readonly cause: StopCause }>((resolve) => {
    forget = deadline.onStop((cause) => resolve({ cause }));
  });
  try {
    return await Promise.race([stopped, work.then((done) => ({ done }))]);
  } finally {
    forget?.();
  }
}

/** The failure of a call that was given up. */
export function makeStopFailure(cause: StopCause): Failure {
  return cause === "timeout"
    ? makeFailure("timeout", "The deadline passed before the answer.")
    : makeFailure("interrupted", "The caller stopped the request.");
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}
