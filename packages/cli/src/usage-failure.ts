import type { ErrorCode } from "@connectors/domain";
import { makeFailure, type Failure, type FailureDetail } from "@connectors/sdk";

const usage: unique symbol = Symbol("usage");

/** A failure of the command line's own words: wrong whatever the state and the cluster are. */
interface UsageFailure extends Failure {
  readonly [usage]: true;
}

/** An outcome that ends the command with exit code 2. */
export function failUsage(
  code: ErrorCode,
  message: string,
  detail?: FailureDetail,
): { readonly ok: false; readonly failure: Failure } {
  const failure: UsageFailure = { ...makeFailure(code, message, detail), [usage]: true };
  return { ok: false, failure };
}

/** True for what {@link failUsage} made. */
export function isUsage(failure: Failure): boolean {
  return usage in failure;
}
