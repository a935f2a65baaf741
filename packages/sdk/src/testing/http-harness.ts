import type {
  AuthenticatedCheck,
  AuthenticatedHttp,
  AuthenticatedUpgrade,
  AuthenticatedWrite,
  ReviewPath,
  UpgradeBounds,
} from "../http.js";

/** Header lines in order, names as they are to be written. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** What a peer does with one request, as data that any adapter's peer can follow. */
export type PeerAct =
  | {
      readonly act: "answer";
      readonly status: number;
      readonly headers?: HeaderPairs;
      readonly body?: Uint8Array;
    }
  /** Answers 200 in pieces, then ends the body, loses the connection, or falls silent. */
  | {
      readonly act: "pieces";
      readonly pieces: readonly Uint8Array[];
      readonly after: "end" | "lose" | "silence";
    }
  /** Reads the request and loses the connection. */
  | { readonly act: "lose" }
  /** Reads the request and never answers. */
  | { readonly act: "silence" }
  /** A correct switch to `protocol`, then frames. */
  | { readonly act: "switch"; readonly protocol: string; readonly frames: readonly FrameAct[] }
  /** A switch with one fault. */
  | { readonly act: "wrong_switch"; readonly fault: SwitchFault };

/** What is wrong with a switch. */
export type SwitchFault =
  | "no_upgrade_header"
  | "wrong_accept_key"
  | "no_subprotocol"
  | "unoffered_subprotocol"
  | "doubled_subprotocol";

/** What a peer sends on an upgraded connection, in order. */
export type FrameAct =
  | { readonly send: "message"; readonly payload: Uint8Array }
  | { readonly send: "fragments"; readonly payloads: readonly Uint8Array[] }
  | { readonly send: "text"; readonly text: string }
  | { readonly send: "ping" }
  | { readonly send: "bad_frame" }
  /** A closing frame, and then the end. */
  | { readonly send: "close" }
  /** The end, and no closing frame. */
  | { readonly send: "loss" };

/** A request as the peer saw it. */
export interface ObservedRequest {
  readonly method: string;
  /** Path and query as they came, encoded. */
  readonly target: string;
  /** Lower-case names; repeated lines joined by `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Capabilities that reach one scripted peer, and what that peer saw. */
export interface HttpScene {
  readonly reader: AuthenticatedHttp;
  check(path: ReviewPath): AuthenticatedCheck;
  write(): AuthenticatedWrite;
  upgrade(bounds: UpgradeBounds): AuthenticatedUpgrade;
  observed(): readonly ObservedRequest[];
  /** Lets time pass for the capabilities' timers, and for nothing else; it never passes by itself. */
  elapse(ms: number): void;
  /** The path that every target must begin with; ends in `/`. */
  readonly basePath: string;
  /** What must never be seen in a failure. */
  readonly secrets: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** How an adapter of the HTTP ports sets its scenes. */
export interface HttpHarness {
  /** A peer that meets the n-th request with the n-th act, and every later one with the last. */
  open(acts: readonly [PeerAct, ...PeerAct[]]): Promise<HttpScene>;
  /** A scene whose peer refuses connections. */
  openUnreachable(): Promise<HttpScene>;
}
