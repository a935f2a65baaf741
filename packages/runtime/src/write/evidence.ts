import type { AnswerObserved, Cause, FailureBody, KeptOutcome } from "@connectors/domain";
import type { JsonObject } from "@connectors/sdk";

/** What a dispatch proved: what the ledger keeps of it, and what the live caller is given. */
export interface Evidence {
  readonly kept: KeptOutcome;
  readonly live: {
    readonly result: JsonObject | null;
    readonly failure: FailureBody | null;
    readonly cause: Cause | null;
    readonly observed: AnswerObserved | null;
  };
}
