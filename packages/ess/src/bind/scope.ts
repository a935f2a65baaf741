import { nearest } from "../diagnostics/did-you-mean.js";
import type { DiagnosticSink } from "../diagnostics/diagnostic.js";
import type { Span, Spanned } from "../diagnostics/span.js";
import type { BoundIr, Primitive, RangeIr, TypeExpressionIr } from "../ir/type-ir.js";
import { primitiveNames } from "../ir/type-ir.js";
import type { Places } from "../ir/places.js";
import type { BoundShape, RangeShape } from "../shape/bounds-shape.js";
import type { DomainSymbols, SymbolTable } from "./symbols.js";
import { type TypeExpression, parseTypeExpression } from "./type-expression.js";

/** What names mean inside one domain. */
export interface Scope {
  readonly table: SymbolTable;
  readonly own: DomainSymbols;
  readonly sink: DiagnosticSink;
  readonly places: Places;
}

/** A type where it is used, with the presence that `Optional` and `Nullable` stand for. */
export interface ResolvedType {
  readonly type: TypeExpressionIr;
  readonly wrapper: "omitted" | "nullable" | undefined;
}

/** The meaning of a type as written; undefined when the reason has been reported. */
export function resolveType(scope: Scope, written: Spanned<string>): ResolvedType | undefined {
  const parsed = parseTypeExpression(written.value);
  if (!parsed.ok) {
    const span = inside(written, parsed.at, 1);
    scope.sink.report("ESS-TYPE-003", span, `'${written.value}' is not a type`);
    return undefined;
  }
  const { value } = parsed;
  const [inner] = value.arguments;
  if (inner !== undefined && value.arguments.length === 1) {
    if (value.name === "Optional") return wrap(resolve(scope, written, inner), "omitted");
    if (value.name === "Nullable") return wrap(resolve(scope, written, inner), "nullable");
  }
  return wrap(resolve(scope, written, value), undefined);
}

/** The meaning of a type that may end in `?`, as outcome fields and carried values do. */
export function resolveSlotType(
  scope: Scope,
  written: Spanned<string>,
): { readonly type: TypeExpressionIr; readonly nullable: boolean } | undefined {
  const nullable = written.value.endsWith("?");
  const value = nullable ? written.value.slice(0, -1) : written.value;
  const resolved = resolveType(scope, { value, span: written.span });
  if (resolved === undefined) return undefined;
  return { type: resolved.type, nullable: nullable || resolved.wrapper !== undefined };
}

/** The number behind a bound. */
export function resolveBound(scope: Scope, shape: BoundShape | undefined): BoundIr | undefined {
  if (shape === undefined) return undefined;
  if (shape.kind === "literal") {
    return scope.places.mark({ value: shape.value, limit: undefined }, shape.span);
  }
  const holders = visible(scope).filter((domain) => domain.limits.has(shape.name));
  const [holder] = holders;
  const limit = holder?.limits.get(shape.name);
  if (holder === undefined || limit === undefined) {
    const names = visible(scope).flatMap((domain) => [...domain.limits.keys()]);
    const near = nearest(shape.name, names);
    const extras = near === undefined ? {} : { help: `did you mean 'limits.${near}'?` };
    scope.sink.report("ESS-TYPE-009", shape.span, `unknown limit '${shape.name}'`, extras);
    return undefined;
  }
  const bound = { value: limit.value, limit: { domain: holder.name, name: shape.name } };
  return scope.places.mark(bound, shape.span);
}

/** The numbers behind a range. */
export function resolveRange(scope: Scope, shape: RangeShape | undefined): RangeIr | undefined {
  if (shape === undefined) return undefined;
  const range = { min: resolveBound(scope, shape.min), max: resolveBound(scope, shape.max) };
  return scope.places.mark(range, shape.span);
}

function resolve(
  scope: Scope,
  written: Spanned<string>,
  expression: TypeExpression,
): TypeExpressionIr | undefined {
  const span = inside(written, expression.offset, expression.name.length);
  const parameters = expression.arguments.map((parameter) => resolve(scope, written, parameter));
  const [first, second] = parameters;
  const arity = expression.arguments.length;
  if (expression.name === "List" && arity === 1) {
    return first === undefined ? undefined : { kind: "list", of: first };
  }
  if (expression.name === "Map" && arity === 2) {
    if (first === undefined || second === undefined) return undefined;
    return scope.places.mark({ kind: "map", key: first, of: second } as const, span);
  }
  if (arity > 0 || ["List", "Map", "Optional", "Nullable"].includes(expression.name)) {
    scope.sink.report("ESS-TYPE-003", span, `'${written.value}' is not a type`);
    return undefined;
  }
  const primitive = primitiveNames.find((name) => name === expression.name);
  if (primitive !== undefined) return { kind: "primitive", name: primitive satisfies Primitive };
  return resolveName(scope, expression.name, span);
}

function resolveName(scope: Scope, name: string, span: Span): TypeExpressionIr | undefined {
  const dot = name.lastIndexOf(".");
  const local = name.slice(dot + 1);
  const candidates = visible(scope).filter(
    (domain) => dot < 0 || domain.name === name.slice(0, dot),
  );
  const holders = candidates.filter((domain) => domain.types.has(local));
  const [holder, other] = holders;
  if (holder === undefined) {
    const poisoned = [...scope.table.values()].some((domain) => domain.poisoned.has(local));
    if (!poisoned) reportUnknown(scope, local, name, span, candidates);
    return undefined;
  }
  if (other !== undefined && holder !== scope.own) {
    const message = `'${name}' is declared in ${holders.map((domain) => domain.name).join(", ")}`;
    const related = holders.flatMap((domain) => declared(domain, local));
    scope.sink.report("ESS-TYPE-002", span, message, { related });
    return undefined;
  }
  return { kind: "named", domain: holder.name, name: local };
}

function reportUnknown(
  scope: Scope,
  local: string,
  name: string,
  span: Span,
  candidates: readonly DomainSymbols[],
): void {
  const message = `unknown type '${name}'`;
  const elsewhere = [...scope.table.values()].find((domain) => domain.types.has(local));
  if (elsewhere !== undefined) {
    const help = `it is declared in '${elsewhere.name}'; add that to uses`;
    scope.sink.report("ESS-TYPE-001", span, message, { help, related: declared(elsewhere, local) });
    return;
  }
  const names = candidates.flatMap((domain) => [...domain.types.keys()]);
  const near = nearest(local, [...names, ...primitiveNames]);
  if (near === undefined) {
    scope.sink.report("ESS-TYPE-001", span, message);
    return;
  }
  const related = candidates.flatMap((domain) => declared(domain, near));
  scope.sink.report("ESS-TYPE-001", span, message, { help: `did you mean '${near}'?`, related });
}

function declared(domain: DomainSymbols, name: string) {
  const span = domain.types.get(name);
  return span === undefined ? [] : [{ message: `'${name}' is declared here`, span }];
}

// The domain itself first: its own declarations win over those that it uses.
function visible({ own, table }: Scope): readonly DomainSymbols[] {
  const used = own.uses.map((name) => table.get(name)).filter((domain) => domain !== undefined);
  return [own, ...used];
}

// A quoted scalar is longer than its value: skip the quote.
function inside({ span, value }: Spanned<string>, offset: number, length: number): Span {
  const quote = span.end - span.start > value.length ? 1 : 0;
  const start = span.start + quote + offset;
  return { ...span, start, end: start + length, column: span.column + quote + offset };
}

function wrap(
  type: TypeExpressionIr | undefined,
  wrapper: ResolvedType["wrapper"],
): ResolvedType | undefined {
  return type === undefined ? undefined : { type, wrapper };
}
