import { describeJournalFailure, describeRefusal } from "./journal-refusal.js";
import { journalDeadlineMs } from "./journal-deadline.js";
import { stopFailure } from "./stop-failure.js";
import { draftOf, type WriteRun } from "./write-run.js";
import type { Refusal, StepEvents, StepStates } from "./write-state.js";

/**
 * Step 5: that this write is about to ask its provider anything is durable, before it does.
 *
 * It stands before preflight, because preflight reads are requests too.
 */
export async function anchor(
  { approval }: StepStates["anchor"],
  run: WriteRun,
): Promise<StepEvents["anchor"]> {
  const stopped = stopFailure(run.stop);
  if (stopped !== undefined) return refused({ failure: stopped, stage: "audit" });
  const proof = approval?.proof;
  const draft = draftOf(run, "anchor", {
    approver: proof?.issuer ?? null,
    kid: proof?.kid ?? null,
    reference: proof?.reference ?? null,
  });
  const request = { kind: "anchor", draft } as const;
  const done = await run.scope.journal.transact(request, {
    deadlineMs: journalDeadlineMs(run.stop),
  });
  if (!done.ok) return refused({ failure: describeJournalFailure(done.failure), stage: "audit" });
  return done.value.kind === "done"
    ? { kind: "anchored", audit: done.value.audit }
    : refused({ failure: describeRefusal(done.value), stage: "audit" });
}

function refused(refusal: Refusal): StepEvents["anchor"] {
  return { kind: "refused", refusal };
}
