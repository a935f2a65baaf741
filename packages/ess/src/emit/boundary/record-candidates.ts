import { ruleHolds } from "../../check/rule-holds.js";
import { operandsOf } from "../../ir/rule-paths.js";
import type { RuleIr } from "../../ir/rule-ir.js";
import type { FieldIr, InvariantIr } from "../../ir/type-ir.js";
import { type JsonData, isJsonRecord } from "../../shape/json-node.js";
import type { Sampler } from "./samples.js";

interface RecordShape {
  readonly fields: readonly FieldIr[];
  readonly invariants: readonly InvariantIr[];
}

interface FieldSamples {
  readonly field: FieldIr;
  readonly valid: readonly JsonData[];
}

type Members = Readonly<Record<string, JsonData>>;

/** Records that differ from a plain one in one member each. */
export function recordCandidates(
  sampler: Sampler,
  record: RecordShape,
  tag: Members,
): readonly JsonData[] {
  const samples = record.fields.map((field) => ({
    field,
    ...sampler.ofExpression(field.type, field.bounds),
  }));
  const plain: Record<string, JsonData> = { ...tag };
  for (const { field, valid } of samples) {
    if (field.presence === "omitted") continue;
    const [first] = valid;
    if (field.presence === "nullable") plain[field.name] = null;
    else if (first === undefined) return [];
    else plain[field.name] = first;
  }
  const base = satisfying(record, plain, samples);
  if (base === undefined) return [];
  const good = samples.flatMap(({ field, valid }) => valid.map((value) => set(base, field, value)));
  const bad = samples.flatMap(({ field, invalid }) =>
    invalid.map(({ value }) => set(base, field, value)),
  );
  const without = record.fields.map(({ name }) => {
    const { [name]: _left, ...rest } = base;
    return rest;
  });
  const nulls = record.fields.map((field) => set(base, field, null));
  const whole = samples.reduce(
    (members: Members, { field, valid }) => set(members, field, valid[0] ?? members[field.name]),
    base,
  );
  const broken = record.invariants.map((invariant) => breaking(record, base, samples, invariant));
  return [
    base,
    whole,
    ...broken.filter((members) => members !== undefined),
    ...good,
    ...bad,
    ...without,
    ...nulls,
    { ...base, no_such_member: 1 },
  ];
}

function set(members: Members, field: FieldIr, value: JsonData | undefined): Members {
  return value === undefined ? members : { ...members, [field.name]: value };
}

// The most combinations of members that are tried to break one rule alone.
const combinationsMax = 4_096;

// The record with those members changed that `target` speaks of, so that it alone does not hold.
function breaking(
  record: RecordShape,
  base: Members,
  samples: readonly FieldSamples[],
  target: InvariantIr,
): Members | undefined {
  const named = new Set(
    operandsOf(target.rule).flatMap((side) => (side.kind === "path" ? side.path.slice(0, 1) : [])),
  );
  let combinations: readonly Members[] = [base];
  for (const { field, valid } of samples) {
    if (!named.has(field.name)) continue;
    const options: readonly Members[] = [
      ...(field.presence === "nullable" ? [{ [field.name]: null }] : []),
      ...valid.map((value) => ({ [field.name]: value })),
      ...valid.flatMap((value) => spoken(target.rule, field.name, value)),
    ];
    // What may be left out is left out of the plain record already.
    const kept = field.presence === "omitted" ? combinations : [];
    const changed = combinations.flatMap((members) =>
      options.map((option) => ({ ...members, ...option })),
    );
    combinations = [...kept, ...changed].slice(0, combinationsMax);
  }
  return combinations.find((members) =>
    record.invariants.every(({ rule }) => ruleHolds(rule, members) !== (rule === target.rule)),
  );
}

// The value of a member, changed inside so that it says what a comparison of the rule speaks of.
function spoken(rule: RuleIr, name: string, value: JsonData): readonly Members[] {
  if (rule.kind === "and" || rule.kind === "or") {
    return [...spoken(rule.left, name, value), ...spoken(rule.right, name, value)];
  }
  if (rule.kind === "not") return spoken(rule.of, name, value);
  if (rule.kind === "truth" || rule.left.kind !== "path" || rule.right.kind !== "literal")
    return [];
  const [first, inner, deeper] = rule.left.path;
  const literal = rule.right.value;
  if (first !== name || inner === undefined || deeper !== undefined || literal === null) return [];
  if (!isJsonRecord(value)) return [];
  return [{ [name]: { ...value, [inner]: literal } }];
}

// Changes up to two members of the plain record until its invariants hold.
function satisfying(
  record: RecordShape,
  plain: Members,
  samples: readonly FieldSamples[],
): Members | undefined {
  const fits = (members: Members) =>
    record.invariants.every(({ rule }) => ruleHolds(rule, members));
  if (fits(plain)) return plain;
  const singles = samples.flatMap(({ field, valid }) =>
    valid.map((value) => set(plain, field, value)),
  );
  const single = singles.find(fits);
  if (single !== undefined) return single;
  for (const start of singles) {
    for (const { field, valid } of samples) {
      const found = valid.map((value) => set(start, field, value)).find(fits);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
