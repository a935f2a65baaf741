import { errorCatalogue, type Effect, type ErrorCode, type Retry } from "@connectors/domain";

/**
 * What a caller must decide on: a coded reason, and what is known of the outside world.
 *
 * `message` is fixed text for people, at most 512 bytes, without headers, bodies, tokens or
 * anything a provider said. `unknown` never pairs with `safe`.
 */
export interface Failure {
  readonly code: ErrorCode;
  readonly effect: Effect;
  readonly retry: Retry;
  readonly message: string;
  /** What to do next; the catalogue's hint of the code unless a better one is known. */
  readonly hint: string;
  /** From a closed set of the code's own, or the bounded, filtered text that reads may carry. */
  readonly reason?: string;
}

/** A value, or a failure as a value. */
export type Outcome<T, F = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F };

/** An outcome that carries `value`. */
export function succeed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** An outcome that carries `failure`. */
export function failWith<F>(failure: F): { readonly ok: false; readonly failure: F } {
  return { ok: false, failure };
}

/** What may be said differently from the catalogue when a failure is made. */
export interface FailureDetail {
  readonly effect?: Effect;
  readonly retry?: Retry;
  readonly hint?: string;
  readonly reason?: string;
}

/** A failure with the catalogue's effect, advice and hint, where `detail` says nothing else. */
export function makeFailure(code: ErrorCode, message: string, detail: FailureDetail = {}): Failure {
  const entry = errorCatalogue[code];
  const effect = detail.effect ?? entry.effect;
  const advised = detail.retry ?? entry.retry;
  const failure = {
    code,
    effect,
    // An unknown effect is looked at before anything else, whatever the code alone would advise.
    retry: effect === "unknown" ? ("after_check" as const) : advised,
    message,
    hint: detail.hint ?? entry.hint,
  };
  return detail.reason === undefined ? failure : { ...failure, reason: detail.reason };
}

/** Shorthand for `failWith(makeFailure(…))`. */
export function fail(
  code: ErrorCode,
  message: string,
  detail?: FailureDetail,
): { readonly ok: false; readonly failure: Failure } {
  return failWith(makeFailure(code, message, detail));
}

/** Throws: a broken invariant of ours, caught nowhere inside the library. */
export function invariant(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${what}`);
}

/** Throws, and makes the compiler prove that a switch is exhaustive. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
