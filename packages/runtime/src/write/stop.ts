import type { Ambient } from "@connectors/sdk";

/** What ends a wait: the time is up, or the caller has had enough. Whichever came first stays. */
export interface Stop {
  reason(): "timeout" | "interrupted" | null;
  remainingMs(): number;
  /** Aborted together with the reason. */
  readonly signal: AbortSignal;
  /** Forgets timer and listener; the signal is not aborted by it. */
  release(): void;
}

/** A stop `totalMs` from now, or earlier when `interrupt` is aborted. */
export function makeStop(
  ambient: Pick<Ambient, "clock" | "timers">,
  totalMs: number,
  interrupt: AbortSignal,
): Stop {
  const controller = new AbortController();
  const endsAtMs = ambient.clock.monotonicMs() + totalMs;
  let reason: "timeout" | "interrupted" | null = null;

  function stop(why: "timeout" | "interrupted"): void {
    reason ??= why;
    release();
    controller.abort();
  }
  const onInterrupt = (): void => stop("interrupted");
  const cancelTimer = ambient.timers.after(totalMs, () => stop("timeout"));
  function release(): void {
    cancelTimer();
    interrupt.removeEventListener("abort", onInterrupt);
  }
  if (interrupt.aborted) stop("interrupted");
  else interrupt.addEventListener("abort", onInterrupt);

  const remainingMs = (): number => Math.max(0, endsAtMs - ambient.clock.monotonicMs());
  return {
    // A timer may be late; the clock is what was promised.
    reason: () => reason ?? (remainingMs() === 0 ? "timeout" : null),
    remainingMs,
    signal: controller.signal,
    release,
  };
}

/**
 * What `work` gives, or undefined when the stop came first.
 *
 * `work` is asked to end by the signal that it was given; if it does not, it is left behind, and
 * what it gives in the end goes to `discard`.
 */
export async function untilStopped<T>(
  stop: Stop,
  work: Promise<T>,
  discard: (late: T) => void,
): Promise<T | undefined> {
  if (stop.signal.aborted) {
    void work.then(discard);
    return undefined;
  }
  const { promise: stopped, resolve } = makeGate();
  stop.signal.addEventListener("abort", resolve, { once: true });
  const first = await Promise.race([work.then((value) => ({ value })), stopped]);
  stop.signal.removeEventListener("abort", resolve);
  if (first !== undefined) return first.value;
  void work.then(discard);
  return undefined;
}

function makeGate(): { readonly promise: Promise<undefined>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<undefined>((settle) => {
    resolve = () => settle(undefined);
  });
  return { promise, resolve };
}
