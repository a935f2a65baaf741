import { type DiagnosticSink, compareText } from "../diagnostics/diagnostic.js";
import { didYouMean } from "../diagnostics/did-you-mean.js";
import type { DomainIr, SystemIr } from "../ir/ir.js";
import { type Places, makePlaces } from "../ir/places.js";
import type { SystemShape } from "../shape/domain-shape.js";
import { type SharedRows, bindDecisions } from "./bind-decisions.js";
import type { EnumValues } from "./bind-facts.js";
import { bindOperations } from "./bind-operations.js";
import { bindErrors, bindLifecycles, bindLimits, bindNotes, bindOwner } from "./bind-tables.js";
import { bindTypes } from "./bind-types.js";
import type { DomainSource } from "./domain-source.js";
import type { Scope } from "./scope.js";
import { type SymbolTable, collectSymbols } from "./symbols.js";

/** A system whose every reference is resolved, and where its parts were written. */
export interface BoundSystem {
  readonly ir: SystemIr;
  readonly places: Places;
}

/** Resolves every reference of a system; what cannot be resolved is reported and left out. */
export function bindSystem(
  system: SystemShape,
  sources: readonly DomainSource[],
  sha256: string,
  sink: DiagnosticSink,
): BoundSystem {
  const places = makePlaces();
  refuseTwins(sources, sink);
  const table = collectSymbols(sources);
  const sorted = [...sources].toSorted((left, right) => compareText(left.base, right.base));
  const homes = sorted.map((source) => ({ source, scope: scopeOf(source, table, sink, places) }));
  const typesOf = new Map(
    homes.map(({ source, scope }) => [source.shape.domain.value, bindTypes(scope, source.shape)]),
  );
  const enumValues: EnumValues = ({ domain, name }) => {
    const type = typesOf.get(domain)?.find((candidate) => candidate.name === name);
    return type?.kind === "enum" ? type.values.map(({ value }) => value) : undefined;
  };
  const domains = homes.map(({ source, scope }): DomainIr => {
    const { shape, base, path } = source;
    const shared = sharedRows(scope, homes);
    const domain: DomainIr = {
      name: shape.domain.value,
      base,
      path,
      sha256: source.sha256,
      doc: shape.doc.value,
      owner: bindOwner(places, shape.owner),
      uses: scope.own.uses,
      types: typesOf.get(shape.domain.value) ?? [],
      limits: bindLimits(scope, shape),
      errors: bindErrors(scope, shape),
      lifecycles: bindLifecycles(scope, shape),
      operations: bindOperations(scope, shape),
      decisions: bindDecisions(scope, shape, shared, enumValues),
      notes: bindNotes(scope, shape),
    };
    return places.mark(domain, shape.domain.span);
  });
  const ir: SystemIr = { system: system.system.value, domains, sha256 };
  return { ir: places.mark(ir, system.system.span), places };
}

function scopeOf(
  { shape }: DomainSource,
  table: SymbolTable,
  sink: DiagnosticSink,
  places: Places,
): Scope {
  const own = table.get(shape.domain.value);
  if (own === undefined) throw new Error(`no symbols were collected for ${shape.domain.value}`);
  for (const used of shape.uses ?? []) {
    if (table.has(used.value)) continue;
    const near = didYouMean(used.value, table.keys());
    sink.report("ESS-USES-001", used.span, `unknown domain '${used.value}'`, near);
  }
  return { table, own, sink, places };
}

function sharedRows(
  { own }: Scope,
  homes: readonly { readonly source: DomainSource; readonly scope: Scope }[],
): SharedRows {
  const visible = homes.filter(
    ({ scope }) => scope.own === own || own.uses.includes(scope.own.name),
  );
  return new Map(
    visible.flatMap(({ source, scope }) =>
      (source.shape.rows_shared ?? []).map(({ name, value }) => [
        name.value,
        { scope, shape: value },
      ]),
    ),
  );
}

function refuseTwins(sources: readonly DomainSource[], sink: DiagnosticSink): void {
  const seen = new Map<string, DomainSource>();
  for (const source of sources) {
    const { value, span } = source.shape.domain;
    const first = seen.get(value);
    if (first === undefined) {
      seen.set(value, source);
      continue;
    }
    const related = [{ message: "first declared here", span: first.shape.domain.span }];
    sink.report("ESS-NAME-001", span, `the domain '${value}' is declared twice`, { related });
  }
}
