import type { ExecHandshakeFault, ExecStreamFault } from "./exec-fault.js";

/** A request as the rules see it. */
export interface RequestFacts {
  readonly method: string;
  /** The request's target as it was sent: the path, and the query if there is one. */
  readonly target: string;
  /** Who asks; absent while nobody has been authenticated. */
  readonly user?: string;
  /** The argv, when the request is an exec. */
  readonly command?: readonly string[];
}

/** A whole answer in place of the server's own. */
export interface FaultAnswer {
  /** Any status from 200 to 599, redirections included. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is, with its length; empty for no body. */
  readonly body: string;
}

/**
 * What the server does to one request.
 *
 * Before the commit: `delay` waits and goes on; `drop_before_commit` ends the connection with
 * nothing done; `answer` answers with nothing done; `duplicate` handles the request twice, as a
 * proxy that sends again would, and answers the second.
 * After it: `delay` holds the answer back; `drop_after_commit` ends the connection unanswered;
 * `answer_after_commit` answers something else.
 * At either: `reset` ends the connection with an RST; `half_open` keeps it and never answers.
 */
export type FaultDecision =
  | { readonly kind: "none" }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "drop_before_commit" }
  | { readonly kind: "drop_after_commit" }
  | { readonly kind: "reset" }
  | { readonly kind: "half_open" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "answer"; readonly answer: FaultAnswer }
  | { readonly kind: "answer_after_commit"; readonly answer: FaultAnswer };

/** When a fault strikes: before the server does what was asked, or after it, before the answer. */
export type FaultMoment = "before_commit" | "after_commit";

/** A fault of ordinary requests. Those that can strike at either moment do so before the commit. */
export type RequestFault =
  | { readonly kind: "delay"; readonly at?: FaultMoment; readonly ms: number }
  | { readonly kind: "reset" | "half_open"; readonly at?: FaultMoment }
  | { readonly kind: "drop_before_commit" | "drop_after_commit" | "duplicate" }
  | { readonly kind: "answer" | "answer_after_commit"; readonly answer: FaultAnswer };

/** Any fault that a rule can bring. */
export type Fault = RequestFault | ExecHandshakeFault | ExecStreamFault;

/** Which requests a rule is about. What is absent matches everything. */
export interface FaultMatch {
  /** The method, upper case. */
  readonly method?: string;
  /**
   * The path, `*` for any run of characters. A pattern with a `?` is held against path and query,
   * one without against the path alone.
   */
  readonly pathPattern?: string;
  readonly user?: string;
  /** The exact argv of an exec. */
  readonly command?: readonly string[];
  /** The first matching request that the fault strikes; 1 when it is not said. */
  readonly nth?: number;
  /** How many it strikes from there on, one when it is not said; `always` has no end. */
  readonly times?: number | "always";
}

/** One line of a fault script. */
export interface FaultRule {
  readonly match: FaultMatch;
  readonly fault: Fault;
}
