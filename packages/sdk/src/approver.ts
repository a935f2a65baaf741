import type { Failure, Outcome } from "./outcome.js";

/** The bytes of a prepared file: what an approver renders from, and nothing else. */
export interface PreparedBytes {
  readonly file: Uint8Array;
}

/** A proof as it travels: a compact JWS. */
export interface Proof {
  readonly jws: string;
}

/**
 * Decides on one prepared write. It renders from the prepared bytes itself, recomputes both
 * digests, and answers with a proof, or with a denial (`approval_refused`, reason `denied`).
 */
export interface Approver {
  approve(
    prepared: PreparedBytes,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<Proof, Failure>>;
}
