import { invariant, makeFailure } from "@connectors/sdk";
import { soundWriteFailure } from "../failure/sound-failure.js";
import { readInput } from "../freeze/input-bytes.js";
import { stopFailure } from "./stop-failure.js";
import { untilStopped } from "./stop.js";
import type { WriteRun } from "./write-run.js";
import type { StepEvents } from "./write-state.js";

/**
 * Step 6: the adapter reads what it needs, and fixes the exact request.
 *
 * It is given a parse of the frozen bytes and two ways to read: nothing here can write.
 */
export async function preflight(run: WriteRun): Promise<StepEvents["preflight"]> {
  const { frozen, stop, scope, held } = run;
  const { captured } = held;
  invariant(captured !== null, "the connection is captured before preflight");
  const preparing = frozen.adapter.adapter.prepareWrite({
    operation: frozen.operation.declaration.id,
    input: readInput(frozen.inputText),
    http: captured.http,
    check: (path) => captured.check(path),
    nowMs: scope.ambient.clock.nowMs(),
    signal: stop.signal,
  });
  const prepared = await untilStopped(stop, preparing, (late) => {
    if (late.ok) late.value.cancel();
  });
  if (prepared?.ok === true) {
    held.prepared = prepared.value;
    return { kind: "ready" };
  }
  const failure =
    stopFailure(stop) ??
    (prepared === undefined
      ? makeFailure("timeout", "The deadline passed before anything was sent.")
      : soundWriteFailure(prepared.failure));
  return {
    kind: "refused",
    refusal: { failure: { ...failure, effect: "none" }, stage: "preflight" },
  };
}
