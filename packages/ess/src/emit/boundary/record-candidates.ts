import { ruleHolds } from "../../check/rule-holds.js";
import type { FieldIr, InvariantIr } from "../../ir/type-ir.js";
import type { JsonData } from "../../shape/json-node.js";
import type { Sampler } from "./samples.js";

interface RecordShape {
  readonly fields: readonly FieldIr[];
  readonly invariants: readonly InvariantIr[];
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
  return [base, whole, ...good, ...bad, ...without, ...nulls, { ...base, no_such_member: 1 }];
}

function set(members: Members, field: FieldIr, value: JsonData | undefined): Members {
  return value === undefined ? members : { ...members, [field.name]: value };
}

// Changes up to two members of the plain record until its invariants hold.
function satisfying(
  record: RecordShape,
  plain: Members,
  samples: readonly { readonly field: FieldIr; readonly valid: readonly JsonData[] }[],
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
