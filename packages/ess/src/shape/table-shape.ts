import type { Span, Spanned } from "../diagnostics/span.js";
import {
  type Decoder,
  type Named,
  boolean,
  integer,
  listOf,
  namedBy,
  needed,
  optional,
  record,
  text,
  word,
} from "./decode.js";
import { memberName, tokenName } from "./names.js";

/** A named number. */
export interface LimitShape {
  readonly span: Span;
  readonly value: Spanned<number | bigint>;
  readonly unit: Spanned<string>;
  readonly doc: Spanned<string>;
}

/** What a failure says of the outside world. */
export const errorEffects = ["none", "applied", "unknown"] as const;

/** Whether the same call may be made again. */
export const retryAdvice = ["never", "safe", "new_key", "after_check"] as const;

/** One closed error code. */
export interface ErrorShape {
  readonly span: Span;
  readonly effect: Spanned<(typeof errorEffects)[number]>;
  readonly retry: Spanned<(typeof retryAdvice)[number]>;
  readonly exit: Spanned<number | bigint>;
  readonly http: Spanned<number | bigint>;
  readonly grpc: Spanned<string>;
  readonly doc: Spanned<string>;
  readonly hint: Spanned<string>;
}

/** One state of a lifecycle. */
export interface StateShape {
  readonly span: Span;
  readonly doc?: Spanned<string> | undefined;
  readonly initial?: Spanned<boolean> | undefined;
  readonly terminal?: Spanned<boolean> | undefined;
}

/** One legal move. */
export interface TransitionShape {
  readonly span: Span;
  readonly from: readonly Spanned<string>[];
  readonly to: Spanned<string>;
  readonly doc?: Spanned<string> | undefined;
}

/** States and the moves between them. */
export interface LifecycleShape {
  readonly span: Span;
  readonly doc: Spanned<string>;
  readonly states: readonly Named<StateShape>[];
  readonly transitions: readonly Named<TransitionShape>[];
}

/** A caveat that reaches the reader. */
export interface NoteShape {
  readonly span: Span;
  readonly kind: Spanned<(typeof noteKinds)[number]>;
  readonly text: Spanned<string>;
  readonly owner?: OwnerShape | undefined;
}

/** The prose page that owns a rule. */
export interface OwnerShape {
  readonly span: Span;
  readonly file: Spanned<string>;
  readonly heading?: Spanned<string> | undefined;
}

/** The kinds of caveat. */
export const noteKinds = ["limit", "obligation", "decided", "deferred"] as const;

const grpcCodes = [
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;

/** The limits of a domain, by name. */
export const limits: Decoder<readonly Named<LimitShape>[]> = namedBy(
  "limits",
  memberName,
  record("a limit", { value: needed(integer), unit: needed(text), doc: needed(text) }),
);

/** The error codes of a domain, by name. */
export const errors: Decoder<readonly Named<ErrorShape>[]> = namedBy(
  "errors",
  memberName,
  record("an error", {
    effect: needed(word("effect", errorEffects)),
    retry: needed(word("retry advice", retryAdvice)),
    exit: needed(integer),
    http: needed(integer),
    grpc: needed(word("gRPC code", grpcCodes)),
    doc: needed(text),
    hint: needed(text),
  }),
);

/** The lifecycles of a domain, by name. */
export const lifecycles: Decoder<readonly Named<LifecycleShape>[]> = namedBy(
  "lifecycles",
  memberName,
  record("a lifecycle", {
    doc: needed(text),
    states: needed(
      namedBy(
        "states",
        tokenName,
        record("a state", {
          doc: optional(text),
          initial: optional(boolean),
          terminal: optional(boolean),
        }),
      ),
    ),
    transitions: needed(
      namedBy(
        "transitions",
        memberName,
        record("a transition", {
          from: needed(listOf("from", text)),
          to: needed(text),
          doc: optional(text),
        }),
      ),
    ),
  }),
);

/** A pointer to prose. */
export const owner: Decoder<OwnerShape> = record("an owner", {
  file: needed(text),
  heading: optional(text),
});

/** The caveats of a domain. */
export const notes: Decoder<readonly NoteShape[]> = listOf(
  "notes",
  record("a note", {
    kind: needed(word("kind of note", noteKinds)),
    text: needed(text),
    owner: optional(owner),
  }),
);
