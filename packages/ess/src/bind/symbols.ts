import type { Span } from "../diagnostics/span.js";
import { pascalCase } from "../ir/naming.js";
import type { DomainSource } from "./domain-source.js";

/** What one domain declares, by name. */
export interface DomainSymbols {
  readonly name: string;
  readonly span: Span;
  readonly uses: readonly string[];
  /** Every type, those derived from lifecycles and errors too. */
  readonly types: ReadonlyMap<string, Span>;
  readonly limits: ReadonlyMap<string, { readonly value: number | bigint; readonly span: Span }>;
  /** Types that could not be read: their names are known, so that users are not blamed. */
  readonly poisoned: ReadonlySet<string>;
}

/** Every domain's declarations, by the name of the domain. */
export type SymbolTable = ReadonlyMap<string, DomainSymbols>;

/** The declarations of all domains, before any reference is looked at, so that order is free. */
export function collectSymbols(sources: readonly DomainSource[]): SymbolTable {
  return new Map(sources.map((source) => [source.shape.domain.value, symbolsOf(source)]));
}

function symbolsOf({ shape, typeNames }: DomainSource): DomainSymbols {
  const types = new Map<string, Span>();
  for (const { name } of shape.types ?? []) types.set(name.value, name.span);
  for (const { name } of shape.lifecycles ?? []) {
    types.set(`${pascalCase(name.value)}State`, name.span);
    types.set(`${pascalCase(name.value)}Event`, name.span);
  }
  const [firstError] = shape.errors ?? [];
  if (firstError !== undefined) types.set("ErrorCode", firstError.name.span);
  return {
    name: shape.domain.value,
    span: shape.domain.span,
    uses: (shape.uses ?? []).map(({ value }) => value),
    types,
    limits: new Map(
      (shape.limits ?? []).map(({ name, value }) => [
        name.value,
        { value: value.value.value, span: name.span },
      ]),
    ),
    poisoned: new Set(typeNames.filter((name) => !types.has(name))),
  };
}
