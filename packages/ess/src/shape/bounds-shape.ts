import type { CstNode } from "../cst/cst-node.js";
import type { DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { Span, Spanned } from "../diagnostics/span.js";
import {
  type Decoder,
  type Member,
  boolean,
  integer,
  optional,
  record,
  text,
  wrongKind,
} from "./decode.js";

/** A number, or the limit that holds it. */
export type BoundShape =
  | { readonly kind: "literal"; readonly value: number | bigint; readonly span: Span }
  | { readonly kind: "limit"; readonly name: string; readonly span: Span };

/** Both ends inclusive. */
export interface RangeShape {
  readonly span: Span;
  readonly min?: BoundShape | undefined;
  readonly max?: BoundShape | undefined;
}

/** Everything that may narrow a type where it is used. */
export interface BoundsShape {
  readonly min?: BoundShape | undefined;
  readonly max?: BoundShape | undefined;
  readonly length?: RangeShape | undefined;
  readonly bytes?: RangeShape | undefined;
  readonly pattern?: Spanned<string> | undefined;
  readonly alphabet?: Spanned<string> | undefined;
  readonly items?: RangeShape | undefined;
  readonly total_bytes?: RangeShape | undefined;
  readonly distinct?: Spanned<boolean> | undefined;
  readonly sorted?: Spanned<boolean> | undefined;
}

/** A bound: an integer, or `limits.NAME`. */
export const bound: Decoder<BoundShape> = (node: CstNode, sink: DiagnosticSink) => {
  if (node.kind === "scalar" && typeof node.value === "string") {
    const match = /^limits\.([a-z][a-z0-9_]*)$/.exec(node.value);
    if (match?.[1] !== undefined) return { kind: "limit", name: match[1], span: node.span };
    return wrongKind(node, sink, "a bound is an integer or limits.NAME");
  }
  const read = integer(node, sink);
  return read === undefined ? undefined : { kind: "literal", ...read };
};

/** A range with at least one end. */
export const range: Decoder<RangeShape> = record("a range", {
  min: optional(bound),
  max: optional(bound),
});

/** The members of {@link BoundsShape}, for the records that take them. */
export const boundsMembers: {
  readonly min: Member<BoundShape, false>;
  readonly max: Member<BoundShape, false>;
  readonly length: Member<RangeShape, false>;
  readonly bytes: Member<RangeShape, false>;
  readonly pattern: Member<Spanned<string>, false>;
  readonly alphabet: Member<Spanned<string>, false>;
  readonly items: Member<RangeShape, false>;
  readonly total_bytes: Member<RangeShape, false>;
  readonly distinct: Member<Spanned<boolean>, false>;
  readonly sorted: Member<Spanned<boolean>, false>;
} = {
  min: optional(bound),
  max: optional(bound),
  length: optional(range),
  bytes: optional(range),
  pattern: optional(text),
  alphabet: optional(text),
  items: optional(range),
  total_bytes: optional(range),
  distinct: optional(boolean),
  sorted: optional(boolean),
};
