import type { CstNode } from "../cst/cst-node.js";
import type { DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { Span, Spanned } from "../diagnostics/span.js";
import {
  type DecisionShape,
  type SharedRowsShape,
  decisions,
  sharedRows,
} from "./decision-shape.js";
import {
  type Decoder,
  type Named,
  listOf,
  nameLike,
  needed,
  optional,
  record,
  text,
  word,
} from "./decode.js";
import { domainName } from "./names.js";
import { type OperationShape, operations } from "./operation-shape.js";
import {
  type ErrorShape,
  type LifecycleShape,
  type LimitShape,
  type NoteShape,
  type OwnerShape,
  errors,
  lifecycles,
  limits,
  notes,
  owner,
} from "./table-shape.js";
import { type TypeShape, types } from "./type-shape.js";

/** One domain file, as written. */
export interface DomainShape {
  readonly span: Span;
  readonly domain: Spanned<string>;
  readonly doc: Spanned<string>;
  readonly owner?: OwnerShape | undefined;
  readonly uses?: readonly Spanned<string>[] | undefined;
  readonly types?: readonly Named<TypeShape>[] | undefined;
  readonly limits?: readonly Named<LimitShape>[] | undefined;
  readonly errors?: readonly Named<ErrorShape>[] | undefined;
  readonly lifecycles?: readonly Named<LifecycleShape>[] | undefined;
  readonly operations?: readonly Named<OperationShape>[] | undefined;
  readonly decisions?: readonly Named<DecisionShape>[] | undefined;
  readonly rows_shared?: readonly Named<SharedRowsShape>[] | undefined;
  readonly notes?: readonly NoteShape[] | undefined;
}

/** The roster: which files make up the system. */
export interface SystemShape {
  readonly span: Span;
  readonly system: Spanned<string>;
  readonly domains: readonly Spanned<string>[];
}

const format = word("format", ["ess/1"] as const);

const domain: Decoder<DomainShape> = record("a domain", {
  format: needed(format),
  domain: needed(nameLike("domain", domainName)),
  doc: needed(text),
  owner: optional(owner),
  uses: optional(listOf("uses", text)),
  types: optional(types),
  limits: optional(limits),
  errors: optional(errors),
  lifecycles: optional(lifecycles),
  operations: optional(operations),
  decisions: optional(decisions),
  rows_shared: optional(sharedRows),
  notes: optional(notes),
});

const system: Decoder<SystemShape> = record("a system", {
  format: needed(format),
  system: needed(nameLike("system", domainName)),
  domains: needed(listOf("domains", text)),
});

/** The shape of a domain file. */
export function shapeDomain(node: CstNode, sink: DiagnosticSink): DomainShape | undefined {
  return domain(node, sink);
}

/** The shape of the roster. */
export function shapeSystem(node: CstNode, sink: DiagnosticSink): SystemShape | undefined {
  return system(node, sink);
}
