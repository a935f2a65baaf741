import { parseFailureBody } from "@connectors/domain";
import { makeFailure, type Failure } from "@connectors/sdk";

// A reason from a closed set reads like a name. Sentences are provider text, which no write repeats.
const closedReason = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * The failure when it is whole and within its bounds, else `internal` in its place: what a part
 * outside the runtime made is not passed on, kept or signed unseen.
 */
export function soundFailure(failure: unknown): Failure {
  const parsed = parseFailureBody(failure);
  return parsed.ok
    ? parsed.value
    : makeFailure("internal", "A failure was described in a way that nobody can use.");
}

/** Like {@link soundFailure}, without a reason that is not from a closed set. */
export function soundWriteFailure(failure: unknown): Failure {
  const { reason, ...rest } = soundFailure(failure);
  return reason !== undefined && closedReason.test(reason) ? { ...rest, reason } : rest;
}
