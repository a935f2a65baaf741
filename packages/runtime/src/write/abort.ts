import { journalBusyMsMax, parseKeptOutcome } from "@connectors/domain";
import { trusted } from "../identity/trusted.js";
import { toTimeMs } from "../journal/measure.js";
import { draftOfAttempt, type WriteRun } from "./write-run.js";
import type { StepEvents, StepStates } from "./write-state.js";

/**
 * Step 8, when the gate stays shut: the attempt is Aborted, and its key repeats why.
 *
 * When that can't be written the attempt stays Prepared, which sends nothing either; whoever
 * recovers this process later closes it.
 */
export async function abort(
  { attempt, refusal }: StepStates["abort"],
  run: WriteRun,
): Promise<StepEvents["abort"]> {
  const { scope } = run;
  const { failure, stage } = refusal;
  const kept = {
    classification: "not_attempted",
    failure,
    cause: { code: failure.code, stage },
    result: null,
    summary: null,
    http_status: null,
    resource_version: null,
  };
  const aborted = await scope.journal.transact(
    {
      kind: "abort",
      attempt: attempt.id,
      owner: scope.owner,
      outcome: trusted(parseKeptOutcome(kept), "a kept refusal fits its model"),
      now_ms: toTimeMs(scope.ambient.clock.nowMs()),
      draft: draftOfAttempt(run, "abandoned", attempt),
    },
    // The deadline has had its say; the truth is still to be written down.
    { deadlineMs: journalBusyMsMax },
  );
  if (!aborted.ok || aborted.value.kind === "refused") return { kind: "unrecorded" };
  return { kind: "recorded", attempt: aborted.value.attempt };
}
