import { parseAttempt, type Attempt } from "@connectors/domain";
import { trusted } from "../identity/trusted.js";
import { describeJournalFailure, describeRefusal } from "./journal-refusal.js";
import { journalDeadlineMs } from "./journal-deadline.js";
import { sightKey } from "./observe.js";
import { stopFailure } from "./stop-failure.js";
import { draftOf, type WriteRun } from "./write-run.js";
import type { Refusal, StepEvents, StepStates } from "./write-state.js";

/**
 * Step 7: the attempt Prepared, its key Pending and its proof spent, in one transaction that checks
 * everything again. A key that exists by then wins, and this write observes it.
 */
export async function begin(
  state: StepStates["begin"],
  run: WriteRun,
): Promise<StepEvents["begin"]> {
  const { scope, frozen, stop } = run;
  const stopped = stopFailure(stop);
  if (stopped !== undefined) return refused({ failure: stopped, stage: "attempt_store" });
  const attempt = makeAttempt(state, run);
  const begun = await scope.journal.transact(
    {
      kind: "begin",
      attempt,
      fingerprint: frozen.fingerprint,
      proof: state.approval?.proof ?? null,
      policy: frozen.subject.authority.policy,
      now_ms: attempt.created_at_ms,
      draft: draftOf(run, "decision", { attempt: attempt.id, anchor: attempt.anchor }),
    },
    { deadlineMs: journalDeadlineMs(stop) },
  );
  if (!begun.ok) {
    const failure = describeJournalFailure(begun.failure);
    if (begun.failure.certainty === "definite") return refused({ failure, stage: "attempt_store" });
    // It may be recorded, and its proof spent: the same proof or key is no way on.
    const doubtful = { ...failure, retry: "new_key" } as const;
    return { kind: "doubtful", refusal: { failure: doubtful, stage: "attempt_store" } };
  }
  const answer = begun.value;
  switch (answer.kind) {
    case "prepared":
      return { kind: "prepared", attempt: answer.attempt };
    case "exists": {
      const nowMs = scope.ambient.clock.nowMs();
      return { kind: "found", sighting: sightKey(answer, frozen.fingerprint, nowMs) };
    }
    case "refused":
      return refused({ failure: describeRefusal(answer), stage: "attempt_store" });
  }
}

function refused(refusal: Refusal): StepEvents["begin"] {
  return { kind: "refused", refusal };
}

function makeAttempt({ approval, anchor }: StepStates["begin"], run: WriteRun): Attempt {
  const { scope, frozen } = run;
  const { subject } = frozen;
  return trusted(
    parseAttempt({
      id: scope.newAttemptId(),
      state: "Prepared",
      owner: scope.owner,
      instance: subject.target.instance,
      operation: subject.target.operation,
      caller: scope.caller,
      key_namespace: frozen.namespace,
      subject_sha256: frozen.subjectSha256,
      input_sha256: subject.input_sha256,
      connection_revision: subject.target.connection_revision,
      configuration_revision: subject.target.configuration_revision,
      approver: approval?.proof.issuer ?? null,
      reference: approval?.proof.reference ?? null,
      separation: approval?.separation ?? "none",
      policy_revision: subject.authority.policy.revision,
      anchor: anchor.sequence,
      expires_at_ms: subject.expires_at_ms,
      created_at_ms: scope.ambient.clock.nowMs(),
      dispatched_at_ms: null,
      settled_at_ms: null,
      outcome: null,
      audit: anchor,
    }),
    "an attempt fits its model",
  );
}
