import { type Issue, type Parsed, issuesMax } from "./parsed.js";

/** Where one parse stands: the path to the value in hand, and what was wrong so far. */
export interface Reading {
  readonly path: (string | number)[];
  readonly issues: Issue[];
}

/** The answer of a reader that refused; the reason is among the issues. */
export const invalid: unique symbol = Symbol("invalid");

/** The type of {@link invalid}. */
export type Invalid = typeof invalid;

/** A function that takes an untrusted value and answers with a trusted one, or says why not. */
export type Reader<T> = (value: unknown, at: Reading) => T | Invalid;

/** The value as `read` understands it, with every issue that it found. */
export function parseWith<T>(value: unknown, read: Reader<T>): Parsed<T> {
  const at: Reading = { path: [], issues: [] };
  const result = read(value, at);
  if (result === invalid || at.issues.length > 0) return { ok: false, issues: at.issues };
  return { ok: true, value: result };
}

/** Notes that the value in hand breaks `rule`, and is the answer of a reader that gives up. */
export function refuse(at: Reading, rule: string, message: string): Invalid {
  if (!isFull(at)) at.issues.push({ path: pointer(at.path), rule, message });
  return invalid;
}

/** True when no further issue would be kept, so that looking on is wasted work. */
export function isFull(at: Reading): boolean {
  return at.issues.length >= issuesMax;
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${typeof step === "number" ? step : printable(step)}`).join("");
}

// Member names of a foreign object are foreign text too: only harmless ones are repeated.
function printable(name: string): string {
  return /^[\w.$@:+/~ -]{1,64}$/.test(name)
    ? name.replaceAll("~", "~0").replaceAll("/", "~1")
    : "?";
}
