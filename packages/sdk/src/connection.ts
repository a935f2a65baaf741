import type { Provider } from "@connectors/domain";
import type {
  AuthenticatedCheck,
  AuthenticatedHttp,
  AuthenticatedUpgrade,
  AuthenticatedWrite,
  ReviewPath,
  UpgradeBounds,
} from "./http.js";
import type { Outcome } from "./outcome.js";

/** Where a connection leads, told from its files alone. */
export type ConnectionDescription = Omit<Provider, "username">;

/**
 * One credential, fixed: the review that named the user and the one send carry the same bytes.
 *
 * `write` and `upgrade` are good for one use between them. The caller disposes it; disposing
 * forgets the credential and closes idle sockets, and never waits for a request in flight.
 */
export interface CapturedConnection {
  /** The username that a SelfSubjectReview named with this credential. */
  readonly username: string;
  readonly http: AuthenticatedHttp;
  check(path: ReviewPath): AuthenticatedCheck;
  write(): Outcome<AuthenticatedWrite>;
  upgrade(bounds: UpgradeBounds): Outcome<AuthenticatedUpgrade>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A way to one provider as one user; joined at the composition root. */
export interface Connection {
  /** Reads the connection's files; no request. */
  describe(): Promise<Outcome<ConnectionDescription>>;
  /**
   * Fixes the credential and asks who it is, unless this process did so with the same
   * connection and credential within `identityReviewMsMax`.
   */
  capture(options: { readonly signal: AbortSignal }): Promise<Outcome<CapturedConnection>>;
}
