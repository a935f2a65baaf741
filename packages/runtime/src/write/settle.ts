import { journalBusyMsMax } from "@connectors/domain";
import { toTimeMs } from "../journal/measure.js";
import { draftOfAttempt, type WriteRun } from "./write-run.js";
import type { StepEvents, StepStates } from "./write-state.js";

/**
 * Step 10: attempt, key, kept result and the last audit record, in one transaction.
 *
 * Whatever becomes of it, the live answer keeps what the dispatch proved.
 */
export async function settle(
  { attempt, evidence }: StepStates["settle"],
  run: WriteRun,
): Promise<StepEvents["settle"]> {
  const { scope } = run;
  const settled = await scope.journal.transact(
    {
      kind: "settle",
      attempt: attempt.id,
      owner: scope.owner,
      outcome: evidence.kept,
      now_ms: toTimeMs(scope.ambient.clock.nowMs()),
      draft: draftOfAttempt(run, "outcome", attempt),
    },
    // Not the write's deadline: what happened is written down however late it is.
    { deadlineMs: journalBusyMsMax },
  );
  return settled.ok && settled.value.kind === "settled"
    ? { kind: "recorded", attempt: settled.value.attempt }
    : { kind: "unrecorded" };
}
