import type { SendEvidence } from "@connectors/domain";
import type { Failure, Outcome } from "./outcome.js";

/** Ordered query pairs; repeated names keep their order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A resource below the scope's base path: each segment is encoded as exactly one segment. */
export interface HttpTarget {
  readonly segments: readonly string[];
  readonly query?: Query;
}

/** How a read is bounded; a caller may only narrow what the scope allows. */
export interface ReadOptions {
  readonly accept: string;
  readonly signal: AbortSignal;
  readonly bodyBytesMax?: number;
  readonly timeoutMs?: number;
}

/** An answer as it came: whatever status, lower-case header names, whole body within its bound. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** The first bytes of an answer; `complete` means that its end was really seen. */
export interface HttpPrefix extends HttpAnswer {
  readonly complete: boolean;
}

/** An answer whose body arrives in pieces; the caller disposes it. */
export interface HttpStream {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The next piece, or the end. After a failure or the end it repeats that. */
  next(): Promise<Outcome<Uint8Array | "end">>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Reads of one scope with one credential. It has no way to become a writer. */
export interface AuthenticatedHttp {
  get(target: HttpTarget, options: ReadOptions): Promise<Outcome<HttpAnswer>>;
  /** At most `limit` bytes of the body, then the connection is let go. */
  getPrefix(target: HttpTarget, limit: number, options: ReadOptions): Promise<Outcome<HttpPrefix>>;
  getStream(
    target: HttpTarget,
    options: ReadOptions & { readonly idleMs: number },
  ): Promise<Outcome<HttpStream>>;
}

/** POSTs one review body to the one path fixed when it was made. */
export interface AuthenticatedCheck {
  /** Body at most `reviewRequestBytesMax`, answer at most `reviewAnswerBytesMax`. */
  check(body: Uint8Array, options: { readonly signal: AbortSignal }): Promise<Outcome<HttpAnswer>>;
}

/** The paths that a check can be made for. */
export type ReviewPath = "selfsubjectreviews" | "selfsubjectaccessreviews";

/** One exact request that changes something. */
export interface WriteRequest extends HttpTarget {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly contentType: string;
  readonly accept: string;
  readonly body: Uint8Array;
}

/** A failed send, and whether it is proved that nothing left. */
export interface SendFailure {
  readonly failure: Failure;
  readonly sent: SendEvidence;
}

/** Good for one try: `send` spends it before its first await; a second call fails, `sent: no`. */
export interface AuthenticatedWrite {
  send(
    request: WriteRequest,
    options: {
      /** Sent as `Audit-ID`. */
      readonly correlation: string;
      readonly signal: AbortSignal;
      readonly timeoutMs?: number;
      readonly answerBytesMax?: number;
    },
  ): Promise<Outcome<HttpAnswer, SendFailure>>;
}

/** Bounds of one upgraded stream, made by `makeUpgradeBounds` of the transport. */
export interface UpgradeBounds {
  readonly messageBytesMax: number;
  readonly totalBytesMax: number;
  /** Covers handshake and stream; not extended by pings or drips. */
  readonly timeoutMs: number;
}

/** How an upgraded stream ended, once and for ever. */
export type StreamEnd =
  | { readonly end: "closed" }
  | { readonly end: "lost"; readonly failure: Failure }
  | { readonly end: "truncated"; readonly failure: Failure }
  | { readonly end: "deadline"; readonly failure: Failure };

/** Whole binary messages of one upgraded connection. */
export interface MessageStream {
  readonly protocol: string;
  /** The next whole message, or the end; the end is repeated. Back-pressure reaches the socket. */
  next(): Promise<{ readonly message: Uint8Array } | StreamEnd>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How an upgrade ended; nothing here is thrown. */
export type UpgradeOutcome =
  | { readonly kind: "notSent"; readonly failure: Failure }
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: ReadonlyMap<string, string>;
      readonly bodyPrefix: Uint8Array;
    }
  | { readonly kind: "lost"; readonly failure: Failure }
  | { readonly kind: "accepted"; readonly stream: MessageStream };

/** Good for one try: `upgrade` spends it before its first await. */
export interface AuthenticatedUpgrade {
  upgrade(
    request: HttpTarget & { readonly subprotocols: readonly string[] },
    options: { readonly correlation: string; readonly signal: AbortSignal },
  ): Promise<UpgradeOutcome>;
}

/** A direct client's writes, one capability a request; never handed to an adapter. */
export interface WriteSource {
  open(): Promise<Outcome<AuthenticatedWrite>>;
}
