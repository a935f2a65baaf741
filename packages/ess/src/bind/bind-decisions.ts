import { didYouMean } from "../diagnostics/did-you-mean.js";
import type { Spanned } from "../diagnostics/span.js";
import type { AnswerIr, DecisionIr, FactIr, FactValue, RowIr, SlotIr } from "../ir/decision-ir.js";
import { coverageOf, productMax, productOf } from "../ir/decision-matrix.js";
import type { Named } from "../shape/decode.js";
import type {
  CellShape,
  DecisionShape,
  FactShape,
  RowShape,
  SharedRowsShape,
} from "../shape/decision-shape.js";
import type { DomainShape } from "../shape/domain-shape.js";
import { type EnumValues, bindFact } from "./bind-facts.js";
import { type Scope, resolveSlotType } from "./scope.js";

/** The shared rows that a domain may include, by name. */
export type SharedRows = ReadonlyMap<string, SharedGroup>;

/** Shared rows, and the scope that their names are read in. */
export interface SharedGroup {
  readonly scope: Scope;
  readonly shape: SharedRowsShape;
}

/** The decisions of a domain; what their rows cover is found out later. */
export function bindDecisions(
  scope: Scope,
  shape: DomainShape,
  shared: SharedRows,
  enumValues: EnumValues,
): readonly DecisionIr[] {
  return (shape.decisions ?? []).map((decision) =>
    bindDecision({ scope, shared, enumValues }, decision),
  );
}

interface Surroundings {
  readonly scope: Scope;
  readonly shared: SharedRows;
  readonly enumValues: EnumValues;
}

interface Vocabulary {
  readonly facts: ReadonlyMap<string, FactIr>;
  readonly values: ReadonlyMap<string, SlotIr>;
  readonly fields: ReadonlyMap<string, SlotIr>;
  readonly kinds: ReadonlySet<string>;
}

function bindDecision(
  around: Surroundings,
  { name, value: shape }: Named<DecisionShape>,
): DecisionIr {
  const { scope } = around;
  const rowShapes = gatherRows(around, shape);
  const facts = bindFacts(around, shape, rowShapes.groups);
  const values = [
    ...(shape.values ?? []).map((value) => ({ scope, value })),
    ...rowShapes.groups.flatMap((group) =>
      (group.shape.values ?? []).map((value) => ({ scope: group.scope, value })),
    ),
  ].flatMap((written) => bindSlot(written.scope, written.value));
  const fields = (shape.outcome.fields ?? []).flatMap((field) => bindSlot(scope, field));
  const kinds = shape.outcome.kind.map(({ value }) => value);
  const vocabulary: Vocabulary = {
    facts,
    values: byName(values),
    fields: byName(fields),
    kinds: new Set(kinds),
  };
  const rows = [...rowShapes.rows, shape.default].map((row) => bindRow(scope, vocabulary, row));
  const proof = (shape.proof ?? []).flatMap((kind) => known(scope, kind, vocabulary.kinds, "kind"));
  const decision: DecisionIr = {
    name: name.value,
    doc: shape.doc.value,
    facts: [...facts.values()],
    values: [...vocabulary.values.values()],
    kinds,
    fields,
    proof,
    includes: rowShapes.groups.map((group) => ({
      name: group.name,
      doc: group.shape.doc?.value ?? "",
    })),
    rows,
    matrix: matrixOf([...facts.values()], rows),
  };
  return scope.places.mark(decision, name.span);
}

// Included rows stand where they are included; those of the table's own `include` come first.
function gatherRows({ scope, shared }: Surroundings, shape: DecisionShape) {
  const groups: (SharedGroup & { readonly name: string })[] = [];
  const include = (name: Spanned<string>): readonly RowShape[] => {
    const group = shared.get(name.value);
    if (group === undefined) {
      const near = didYouMean(name.value, shared.keys());
      scope.sink.report("ESS-DEC-003", name.span, `unknown shared rows '${name.value}'`, near);
      return [];
    }
    groups.push({ ...group, name: name.value });
    return group.shape.rows;
  };
  const first = (shape.include ?? []).flatMap(include);
  const rest = shape.rows.flatMap((row) => ("include" in row ? include(row.include) : [row]));
  return { groups, rows: [...first, ...rest] };
}

function bindFacts(
  { scope, enumValues }: Surroundings,
  shape: DecisionShape,
  groups: readonly SharedGroup[],
): ReadonlyMap<string, FactIr> {
  const written: { readonly scope: Scope; readonly fact: Named<FactShape> }[] = [
    ...groups.flatMap((group) =>
      (group.shape.facts ?? []).map((fact) => ({ scope: group.scope, fact })),
    ),
    ...shape.facts.map((fact) => ({ scope, fact })),
  ];
  const facts = new Map<string, FactIr>();
  for (const { scope: home, fact } of written) {
    const bound = bindFact(home, enumValues, fact);
    // A table may say again, more closely, what a shared fact is.
    if (bound !== undefined) facts.set(bound.name, bound);
  }
  return facts;
}

function bindSlot(scope: Scope, { name, value }: Named<Spanned<string>>): readonly SlotIr[] {
  const resolved = resolveSlotType(scope, value);
  if (resolved === undefined) return [];
  return [scope.places.mark({ name: name.value, ...resolved }, name.span)];
}

function bindRow(scope: Scope, vocabulary: Vocabulary, shape: RowShape): RowIr {
  const when = (shape.when ?? []).flatMap(({ name, value: cells }) => {
    const fact = vocabulary.facts.get(name.value);
    if (fact === undefined) {
      const near = didYouMean(name.value, vocabulary.facts.keys());
      scope.sink.report("ESS-DEC-004", name.span, `unknown fact '${name.value}'`, near);
      return [];
    }
    const values = cells.flatMap((cell) => factValue(scope, fact, cell));
    return values.length === 0 ? [] : [{ fact: fact.name, values }];
  });
  const kindCell = shape.then.find(({ name }) => name.value === "kind");
  if (kindCell === undefined) {
    scope.sink.report("ESS-DEC-006", shape.span, `row '${shape.id.value}' answers no kind`);
  }
  const kind = { value: String(kindCell?.value.value), span: kindCell?.value.span ?? shape.span };
  const [knownKind] = kindCell === undefined ? [] : known(scope, kind, vocabulary.kinds, "kind");
  const row: RowIr = {
    id: shape.id.value,
    when,
    kind: knownKind ?? "",
    answers: bindAnswers(scope, vocabulary, shape),
    evidence: shape.evidence?.value,
    doc: shape.doc?.value ?? "",
  };
  return scope.places.mark(row, shape.id.span);
}

function bindAnswers(
  scope: Scope,
  { fields, values }: Vocabulary,
  shape: RowShape,
): RowIr["answers"] {
  return shape.then.flatMap(({ name, value: cell }) => {
    if (name.value === "kind") return [];
    const field = fields.get(name.value);
    if (field === undefined) {
      const near = didYouMean(name.value, fields.keys());
      scope.sink.report("ESS-DEC-006", name.span, `the outcome has no '${name.value}'`, near);
      return [];
    }
    const answer = bindAnswer(scope, values, cell);
    if (answer === undefined) return [];
    return [scope.places.mark({ field: field.name, answer }, cell.span)];
  });
}

function bindAnswer(
  scope: Scope,
  values: ReadonlyMap<string, SlotIr>,
  { value, span }: CellShape,
): AnswerIr | undefined {
  if (typeof value === "string" && value.startsWith("value.")) {
    const name = value.slice("value.".length);
    if (values.has(name)) return { kind: "value", name };
    const near = didYouMean(name, values.keys());
    scope.sink.report("ESS-DEC-007", span, `the observation carries no value '${name}'`, near);
    return undefined;
  }
  return { kind: "literal", value: typeof value === "bigint" ? Number(value) : value };
}

function factValue(scope: Scope, fact: FactIr, { value, span }: CellShape): readonly FactValue[] {
  const found = fact.domain.find((candidate) => candidate === value);
  if (found !== undefined) return [found];
  const text = String(value);
  // YAML reads a bare number as a number; a token that looks like one is still that token.
  if (fact.domain.includes(text)) return [text];
  const near = didYouMean(text, fact.domain.map(String));
  scope.sink.report("ESS-DEC-005", span, `'${text}' is not a value of '${fact.name}'`, near);
  return [];
}

function known(
  scope: Scope,
  word: Spanned<string>,
  words: ReadonlySet<string>,
  what: string,
): readonly string[] {
  if (words.has(word.value)) return [word.value];
  const message = `'${word.value}' is not a ${what} of this outcome`;
  scope.sink.report("ESS-DEC-006", word.span, message, didYouMean(word.value, words));
  return [];
}

// A product too large to look at is reported by the check stage, which sees no rows then.
function matrixOf(facts: readonly FactIr[], rows: readonly RowIr[]): DecisionIr["matrix"] {
  const product = productOf(facts);
  return product > productMax ? { product, rows: [] } : coverageOf(facts, rows).matrix;
}

function byName(slots: readonly SlotIr[]): ReadonlyMap<string, SlotIr> {
  return new Map(slots.map((slot) => [slot.name, slot]));
}
