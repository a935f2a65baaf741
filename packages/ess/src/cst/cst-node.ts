import type { Span } from "../diagnostics/span.js";

/** A piece of YAML with its place; comments, styles and quoting are gone. */
export type CstNode = CstMap | CstList | CstScalar;

/** A leaf. Integers that a double cannot hold are bigints. */
export interface CstScalar {
  readonly kind: "scalar";
  readonly value: string | number | bigint | boolean | null;
  readonly span: Span;
}

/** A sequence. */
export interface CstList {
  readonly kind: "list";
  readonly items: readonly CstNode[];
  readonly span: Span;
}

/** One entry of a mapping. */
export interface CstEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: CstNode;
}

/** A mapping, its entries in the order written. */
export interface CstMap {
  readonly kind: "map";
  readonly entries: readonly CstEntry[];
  readonly span: Span;
}

/** What a node is, in words that a message can use. */
export function describeNode(node: CstNode): string {
  if (node.kind === "map") return "a mapping";
  if (node.kind === "list") return "a list";
  if (node.value === null) return "nothing";
  if (typeof node.value === "string") return "a text";
  if (typeof node.value === "boolean") return "a boolean";
  return "a number";
}
