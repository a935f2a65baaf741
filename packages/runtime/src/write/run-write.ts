import { disposeCaptured } from "../adapters/guard-connection.js";
import { abort } from "./abort.js";
import { anchor } from "./anchor.js";
import { awaitWinner } from "./await-winner.js";
import { begin } from "./begin.js";
import { capture } from "./capture.js";
import { dispatch } from "./dispatch.js";
import { gate } from "./gate.js";
import { observe } from "./observe.js";
import { preflight } from "./preflight.js";
import { recordRefusal } from "./record-refusal.js";
import { settle } from "./settle.js";
import { verifyProof } from "./verify-proof.js";
import { stepWrite } from "./write-machine.js";
import type { WriteRun } from "./write-run.js";
import type { Step, StepEvents, StepStates, Told, WriteState } from "./write-state.js";

type Steps = {
  readonly [At in Step]: (state: StepStates[At], run: WriteRun) => Promise<StepEvents[At]>;
};

/** The step of each state, in the order of a write that nothing stops. */
const steps: Steps = {
  observe: (_state, run) => observe(run),
  verify_proof: (_state, run) => verifyProof(run),
  capture: (_state, run) => capture(run),
  anchor,
  preflight: (_state, run) => preflight(run),
  begin,
  gate,
  dispatch,
  settle,
  abort,
  recheck: (_state, run) => observe(run),
  record: recordRefusal,
  wait: awaitWinner,
};

/**
 * Takes a write from `start` to its end, one step after the other.
 *
 * Every step is bounded: before the gate by the write's deadline and the caller's signal, from the
 * gate on by the provider's time and the store's, so that what was sent is settled even when nobody
 * waits for it any more.
 */
export async function runWrite(start: WriteState, run: WriteRun): Promise<Told> {
  let state = start;
  let land: (() => void) | undefined;
  try {
    while (state.at !== "answer") {
      if (state.at === "dispatch") {
        const { attempt } = state;
        land = run.scope.flights.begin(attempt.id, run.stop.remainingMs());
      }
      state = await takeStep(state.at, state, run);
    }
    return state.told;
  } finally {
    land?.();
    await letGo(run);
  }
}

async function takeStep<At extends Step>(
  at: At,
  state: StepStates[At],
  run: WriteRun,
): Promise<WriteState> {
  return stepWrite(at, state, await steps[at](state, run));
}

async function letGo({ held, stop }: WriteRun): Promise<void> {
  stop.release();
  held.prepared?.cancel();
  held.prepared = null;
  if (held.captured !== null) await disposeCaptured(held.captured);
  held.captured = null;
}
