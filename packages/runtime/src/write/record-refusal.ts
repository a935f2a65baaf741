import { isRefusalReason, journalBusyMsMax } from "@connectors/domain";
import type { DraftFacts } from "../audit/audit-draft.js";
import { draftOf, type WriteRun } from "./write-run.js";
import type { Refusal, StepEvents, StepStates } from "./write-state.js";

/** Writes down a refusal, or that no attempt followed an anchor. */
export async function recordRefusal(
  { refusal, anchor }: StepStates["record"],
  run: WriteRun,
): Promise<StepEvents["record"]> {
  const facts = refusal === null ? {} : describe(refusal);
  if (anchor === null) {
    const audit = await run.scope.refusals.record(draftOf(run, "refusal", facts));
    return { kind: "recorded", audit };
  }
  const draft = draftOf(run, "abandoned", { ...facts, anchor: anchor.sequence });
  const done = await run.scope.journal.transact(
    { kind: "abandon", draft },
    { deadlineMs: journalBusyMsMax },
  );
  const audit = done.ok && done.value.kind === "done" ? done.value.audit : null;
  return { kind: "recorded", audit };
}

function describe({ failure, stage }: Refusal): DraftFacts {
  const { code, reason } = failure;
  return {
    classification: "not_attempted",
    code,
    stage,
    reason: isRefusalReason(reason) ? reason : null,
  };
}
