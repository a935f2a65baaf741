import { makeFailure, type Failure } from "@connectors/sdk";
import { toTimeMs } from "../journal/measure.js";
import { describeJournalFailure, describeRefusal } from "./journal-refusal.js";
import { journalDeadlineMs } from "./journal-deadline.js";
import { stopFailure } from "./stop-failure.js";
import { draftOfAttempt, type WriteRun } from "./write-run.js";
import type { StepEvents, StepStates } from "./write-state.js";

/**
 * Step 8: deadline and stop, then Prepared to Dispatching by compare-and-set. Whoever opens the
 * gate may send once.
 */
export async function gate(
  { attempt, approval }: StepStates["gate"],
  run: WriteRun,
): Promise<StepEvents["gate"]> {
  const { scope, frozen, stop } = run;
  const late = stopFailure(stop) ?? findLateness(run);
  if (late !== undefined) return closed(late);
  const gated = await scope.journal.transact(
    {
      kind: "gate",
      attempt: attempt.id,
      owner: scope.owner,
      proof: approval?.proof ?? null,
      policy: frozen.subject.authority.policy,
      now_ms: toTimeMs(scope.ambient.clock.nowMs()),
      draft: draftOfAttempt(run, "dispatch", attempt, { kid: approval?.proof.kid ?? null }),
    },
    { deadlineMs: journalDeadlineMs(stop) },
  );
  if (!gated.ok) {
    return gated.failure.certainty === "definite"
      ? closed(describeJournalFailure(gated.failure))
      : { kind: "doubtful" };
  }
  switch (gated.value.kind) {
    case "opened":
      return { kind: "opened", attempt: gated.value.attempt };
    case "conflict":
      return { kind: "conflict", attempt: gated.value.attempt };
    case "refused":
      return closed(describeRefusal(gated.value));
  }
}

// Nothing is sent that could not be waited for.
function findLateness({ stop, frozen }: WriteRun): Failure | undefined {
  return stop.remainingMs() < frozen.limits.providerMs
    ? makeFailure("timeout", "Less time was left than the provider may take; nothing was sent.")
    : undefined;
}

// The reservation exists by now, and repeats this refusal: only a new key is a new try.
function closed(failure: Failure): StepEvents["gate"] {
  return {
    kind: "closed",
    refusal: { failure: { ...failure, retry: "new_key" }, stage: "attempt_store" },
  };
}
