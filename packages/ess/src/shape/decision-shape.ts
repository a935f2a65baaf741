import type { CstNode } from "../cst/cst-node.js";
import type { DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { Span, Spanned } from "../diagnostics/span.js";
import {
  type Decoder,
  type Named,
  boolean,
  listOf,
  namedBy,
  needed,
  optional,
  record,
  text,
  word,
  wrongKind,
} from "./decode.js";
import { memberName, tokenName } from "./names.js";

/** A cell's word: a value of a fact, or what a row answers. */
export type CellShape = Spanned<string | number | bigint | boolean | null>;

/** A finite fact. */
export interface FactShape {
  readonly span: Span;
  readonly enum?: readonly Spanned<string>[] | undefined;
  readonly type?: Spanned<string> | undefined;
  readonly boolean?: Spanned<boolean> | undefined;
  readonly classes?: readonly Named<readonly CellShape[]>[] | undefined;
  readonly rest?: Spanned<string> | undefined;
  readonly of?: Spanned<"Integer" | "String"> | undefined;
  readonly doc?: Spanned<string> | undefined;
}

/** One row: when these facts hold, then this is the answer. */
export interface RowShape {
  readonly span: Span;
  readonly id: Spanned<string>;
  readonly when?: readonly Named<readonly CellShape[]>[] | undefined;
  readonly then: readonly Named<CellShape>[];
  readonly evidence?: Spanned<string> | undefined;
  readonly doc?: Spanned<string> | undefined;
}

/** A place in a table's list of rows. */
export type RowItemShape = RowShape | { readonly span: Span; readonly include: Spanned<string> };

/** A decision table, as written. */
export interface DecisionShape {
  readonly span: Span;
  readonly doc: Spanned<string>;
  readonly facts: readonly Named<FactShape>[];
  readonly values?: readonly Named<Spanned<string>>[] | undefined;
  readonly outcome: {
    readonly span: Span;
    readonly kind: readonly Spanned<string>[];
    readonly fields?: readonly Named<Spanned<string>>[] | undefined;
  };
  readonly rows: readonly RowItemShape[];
  readonly default: RowShape;
  readonly proof?: readonly Spanned<string>[] | undefined;
  readonly include?: readonly Spanned<string>[] | undefined;
}

/** Rows, and the facts that they need, for several tables. */
export interface SharedRowsShape {
  readonly span: Span;
  readonly doc?: Spanned<string> | undefined;
  readonly facts?: readonly Named<FactShape>[] | undefined;
  readonly values?: readonly Named<Spanned<string>>[] | undefined;
  readonly rows: readonly RowShape[];
}

const cell: Decoder<CellShape> = (node: CstNode, sink: DiagnosticSink) =>
  node.kind === "scalar"
    ? { value: node.value, span: node.span }
    : wrongKind(node, sink, "one word is needed");

const cells: Decoder<readonly CellShape[]> = (node, sink) => {
  if (node.kind === "list") return listOf("cells", cell)(node, sink);
  const one = cell(node, sink);
  return one === undefined ? undefined : [one];
};

const fact: Decoder<FactShape> = (node, sink) => {
  const shape = record("a fact", {
    enum: optional(listOf("enum", text)),
    type: optional(text),
    boolean: optional(boolean),
    classes: optional(namedBy("classes", tokenName, cells)),
    rest: optional(text),
    of: optional(word("base of classes", ["Integer", "String"] as const)),
    doc: optional(text),
  })(node, sink);
  if (shape === undefined) return undefined;
  const kinds = [shape.enum, shape.type, shape.boolean, shape.classes];
  if (kinds.filter((kind) => kind !== undefined).length === 1) return shape;
  sink.report("ESS-SHAPE-006", node.span, "a fact is one of enum, type, boolean, classes");
  return undefined;
};

const facts = namedBy("facts", memberName, fact);
const values = namedBy("values", memberName, text);

const rowMembers = {
  id: needed(text),
  when: optional(namedBy("when", memberName, cells)),
  // The language's word for what a row answers; this object is never awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  then: needed(namedBy("then", memberName, cell)),
  evidence: optional(text),
  doc: optional(text),
};

const row: Decoder<RowShape> = record("a row", rowMembers);

const rowItem: Decoder<RowItemShape> = (node, sink) =>
  node.kind === "map" && node.entries.some(({ key }) => key === "include")
    ? record("an include", { include: needed(text) })(node, sink)
    : row(node, sink);

/** The decisions of a domain, by name. */
export const decisions: Decoder<readonly Named<DecisionShape>[]> = namedBy(
  "decisions",
  memberName,
  record("a decision", {
    doc: needed(text),
    facts: needed(facts),
    values: optional(values),
    outcome: needed(
      record("an outcome", {
        kind: needed(listOf("kind", text)),
        fields: optional(namedBy("fields", memberName, text)),
      }),
    ),
    rows: needed(listOf("rows", rowItem)),
    default: needed(row),
    proof: optional(listOf("proof", text)),
    include: optional(listOf("include", text)),
  }),
);

/** The groups of rows that several decisions share, by name. */
export const sharedRows: Decoder<readonly Named<SharedRowsShape>[]> = namedBy(
  "rows_shared",
  memberName,
  record("shared rows", {
    doc: optional(text),
    facts: optional(facts),
    values: optional(values),
    rows: needed(listOf("rows", row)),
  }),
);
