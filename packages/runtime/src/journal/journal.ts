import type { JournalAnswer, JournalQuery, JournalRequest, JournalView } from "@connectors/domain";
import type { Failure, Outcome } from "@connectors/sdk";

/** A transaction that did not answer, and whether it is known not to have happened. */
export interface JournalFailure {
  /**
   * `definite`: rolled back, nothing of it is durable. `ambiguous`: it may be durable; the store is
   * poisoned for this process and answers nothing but reads, until it is opened afresh.
   */
  readonly certainty: "definite" | "ambiguous";
  readonly failure: Failure;
}

/** A transaction's answer for one kind of request. */
export type AnswerOf<Kind extends JournalRequest["kind"]> = Kind extends "begin"
  ? Extract<JournalAnswer, { kind: "prepared" | "exists" | "refused" }>
  : Kind extends "gate"
    ? Extract<JournalAnswer, { kind: "opened" | "conflict" | "refused" }>
    : Kind extends "settle" | "abort"
      ? Extract<JournalAnswer, { kind: "settled" | "conflict" | "refused" }>
      : Kind extends "recover"
        ? Extract<JournalAnswer, { kind: "recovered" | "refused" }>
        : Extract<JournalAnswer, { kind: "done" | "refused" }>;

/**
 * The ledger's port. What it acknowledged is there after any crash.
 *
 * Requests are serialised: each sees every earlier one whole. A request waits for another process's
 * write at most until `deadlineMs` (milliseconds from the call), and is then refused, definitely.
 * Nothing is retried once COMMIT was tried.
 */
export interface Journal {
  transact<Request extends JournalRequest>(
    request: Request,
    options: { readonly deadlineMs: number },
  ): Promise<Outcome<AnswerOf<Request["kind"]>, JournalFailure>>;
  query<Query extends JournalQuery>(
    query: Query,
  ): Promise<Outcome<Extract<JournalView, { kind: Query["kind"] }>>>;
  /** Waits for the writes in flight, then releases the store. Idempotent. */
  close(): Promise<void>;
}

/**
 * Whether the owner of an open attempt is still there. Held beside the journal by each store.
 *
 * Whoever releases a lock lets it go; it stays to be found while its owner's row is live, so that a
 * recovery that failed can be tried again, and is gone once the row says released or dead.
 */
export interface OwnerLocks {
  /** Takes this process's lock; held until `release` or the end of the process. */
  hold(nonce: string): Promise<Outcome<{ release(): Promise<void> }>>;
  /**
   * Takes a dead owner's lock, or says that it lives or cannot be decided (its file is gone).
   * The caller recovers, then releases.
   */
  seize(
    nonce: string,
  ): Promise<
    | { readonly kind: "dead"; release(): Promise<void> }
    | { readonly kind: "alive" }
    | { readonly kind: "undecided" }
  >;
}
