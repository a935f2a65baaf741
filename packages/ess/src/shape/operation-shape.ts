import type { CstNode } from "../cst/cst-node.js";
import type { Span, Spanned } from "../diagnostics/span.js";
import { type BoundShape, bound } from "./bounds-shape.js";
import {
  type Decoder,
  type Named,
  listOf,
  namedBy,
  needed,
  optional,
  record,
  text,
  word,
} from "./decode.js";
import { type JsonData, toJson } from "./json-node.js";
import { operationName } from "./names.js";

/** The bounds of one call of an operation. */
export interface OperationLimitsShape {
  readonly span: Span;
  readonly request_bytes: BoundShape;
  readonly result_bytes: BoundShape;
  readonly execution_ms: BoundShape;
  readonly provider_ms: BoundShape;
  readonly connect_ms: BoundShape;
}

/** What an adapter declares of one operation. */
export interface OperationShape {
  readonly span: Span;
  readonly description: Spanned<string>;
  readonly contract: Spanned<string>;
  readonly profile: Spanned<string>;
  readonly effects: readonly Spanned<string>[];
  readonly semantic_effects: readonly Spanned<string>[];
  readonly risk: Spanned<string>;
  readonly idempotency: {
    readonly span: Span;
    readonly kind: Spanned<"none" | "natural" | "keyed">;
    readonly retention_s?: BoundShape | undefined;
  };
  readonly approval: Spanned<string>;
  readonly limits: OperationLimitsShape;
  readonly input: Spanned<string>;
  readonly output: Spanned<string>;
  readonly example: Spanned<JsonData>;
}

const example: Decoder<Spanned<JsonData>> = (node: CstNode) => ({
  value: toJson(node),
  span: node.span,
});

const operation: Decoder<OperationShape> = record("an operation", {
  description: needed(text),
  contract: needed(text),
  profile: needed(text),
  effects: needed(listOf("effects", text)),
  semantic_effects: needed(listOf("semantic_effects", text)),
  risk: needed(text),
  idempotency: needed(
    record("an idempotency", {
      kind: needed(word("kind of idempotency", ["none", "natural", "keyed"] as const)),
      retention_s: optional(bound),
    }),
  ),
  approval: needed(text),
  limits: needed(
    record("an operation's limits", {
      request_bytes: needed(bound),
      result_bytes: needed(bound),
      execution_ms: needed(bound),
      provider_ms: needed(bound),
      connect_ms: needed(bound),
    }),
  ),
  input: needed(text),
  output: needed(text),
  example: needed(example),
});

/** The operations of a domain, by id. */
export const operations: Decoder<readonly Named<OperationShape>[]> = namedBy(
  "operations",
  operationName,
  operation,
);
