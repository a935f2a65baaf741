import type { ErrorCode } from "@connectors/domain";
import { makeFailure, type Failure, type Observed, type Settlement } from "@connectors/sdk";

/** A refusal that proves that nothing happened. */
export function refuse(options: {
  readonly failure: Failure;
  readonly stage: "dispatch" | "response";
  readonly httpStatus: number | null;
}): Settlement {
  return {
    kind: "refused",
    // The attempt is recorded: only a new one, freshly approved, can be another try.
    failure: { ...options.failure, retry: "new_key" },
    stage: options.stage,
    provider: { http_status: options.httpStatus, resource_version: null },
  };
}

/** No definitive evidence; `code` says what was lost. */
export function settleUnknown(options: {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly stage: "dispatch" | "response";
  readonly httpStatus: number | null;
  readonly observed?: Observed;
}): Settlement {
  const { code, message, hint, stage, observed } = options;
  const settled = {
    kind: "unknown" as const,
    failure: makeFailure("outcome_unknown", message, { hint }),
    code,
    stage,
    provider: { http_status: options.httpStatus, resource_version: null },
  };
  return observed === undefined ? settled : { ...settled, observed };
}
