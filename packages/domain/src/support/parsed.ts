/** One reason why a value was refused. It never holds any part of the value. */
export interface Issue {
  /** Where, as a JSON pointer: `/a/0/b`; the empty string is the value itself. */
  readonly path: string;
  /** A stable rule id: `missing`, `type`, `pattern`, …, or the id of an invariant. */
  readonly rule: string;
  /** What the rule asks, for a person. */
  readonly message: string;
}

/** The value, now trusted, or the first {@link issuesMax} reasons why it is not. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The most issues one parse reports: enough to fix a file in one go, too few to flood a log. */
export const issuesMax = 32;
