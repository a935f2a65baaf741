import type { Status } from "./status.js";

/** What a step of a request came to: a value, or the Status that the client is answered. */
export type Verdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: Status };

/** The verdict that goes on with `value`. */
export function accept<T>(value: T): Verdict<T> {
  return { ok: true, value };
}

/** The verdict that ends the request with `status`. */
export function refuse(status: Status): { readonly ok: false; readonly status: Status } {
  return { ok: false, status };
}
