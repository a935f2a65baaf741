import { isAttemptTerminal, observePollMsMax, observePollMsMin } from "@connectors/domain";
import { untilStopped } from "./stop.js";
import type { WriteRun } from "./write-run.js";
import type { StepEvents, StepStates } from "./write-state.js";

/**
 * One look at somebody else's attempt, after a pause that doubles from 25 to 250 ms.
 *
 * While it is open its owner's lock is tried: an owner that is proved dead will never settle it,
 * and recovery says what is known. Nothing is concluded from how long it takes.
 */
export async function awaitWinner(
  { attempt, looks }: StepStates["wait"],
  run: WriteRun,
): Promise<StepEvents["wait"]> {
  const { scope, stop } = run;
  const pauseMs = Math.min(observePollMsMin * 2 ** Math.min(looks, 8), observePollMsMax);
  await pause(run, pauseMs);
  const reason = stop.reason();
  if (reason !== null) return { kind: "ended", code: reason };
  if (attempt.owner !== scope.owner) {
    await untilStopped(stop, scope.recoverOwner(attempt.owner), () => undefined);
  }
  const view = await scope.journal.query({ kind: "attempt", id: attempt.id });
  if (!view.ok || view.value.attempt === null) return { kind: "ended", code: "unavailable" };
  const now = view.value.attempt;
  return { kind: isAttemptTerminal(now.state) ? "known" : "unresolved", attempt: now };
}

async function pause({ scope, stop }: WriteRun, pauseMs: number): Promise<void> {
  let cancel = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    cancel = scope.ambient.timers.after(pauseMs, resolve);
  });
  await untilStopped(stop, over, () => undefined);
  cancel();
}
