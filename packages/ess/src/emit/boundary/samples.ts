import { faultsOf } from "../../check/value-faults.js";
import { type SystemIr, type TypeName, typeOf } from "../../ir/ir.js";
import type { BoundsIr, TypeExpressionIr, TypeIr } from "../../ir/type-ir.js";
import { unbounded } from "../../ir/type-ir.js";
import type { JsonData } from "../../shape/json-node.js";
import { listCandidates, mapCandidates } from "./collection-candidates.js";
import { recordCandidates } from "./record-candidates.js";
import { scalarCandidates } from "./scalar-candidates.js";

/** A value that breaks exactly one rule. */
export interface FaultySample {
  readonly path: string;
  readonly rule: string;
  readonly value: JsonData;
}

/** Values of one type: some that fit, and some that break exactly one rule. */
export interface Samples {
  readonly valid: readonly JsonData[];
  readonly invalid: readonly FaultySample[];
}

/** Makes the samples of a system's types, each type once. */
export interface Sampler {
  ofType(name: TypeName): Samples;
  ofExpression(type: TypeExpressionIr, bounds?: BoundsIr): Samples;
}

// So many for one rule at one place: the edge itself and a value of another kind.
const perRuleMax = 2;
const validMax = 12;
const borrowedMax = 2;

/** A sampler for the types of `ir`. */
export function makeSampler(ir: SystemIr): Sampler {
  const known = new Map<TypeIr, Samples>();
  const pending = new Set<TypeIr>();
  const sampler: Sampler = {
    ofType(name) {
      const type = typeOf(ir, name);
      const found = known.get(type);
      if (found !== undefined) return found;
      // A type inside itself: the outer one does without it.
      if (pending.has(type)) return { valid: [], invalid: [] };
      pending.add(type);
      const expression = { kind: "named", ...name } as const;
      const samples = sort(ir, expression, unbounded, typeCandidates(ir, sampler, type));
      pending.delete(type);
      if (pending.size === 0) known.set(type, samples);
      return samples;
    },
    ofExpression(type, bounds = unbounded) {
      return sort(ir, type, bounds, expressionCandidates(ir, sampler, type, bounds));
    },
  };
  return sampler;
}

function typeCandidates(ir: SystemIr, sampler: Sampler, type: TypeIr): readonly JsonData[] {
  switch (type.kind) {
    case "newtype":
      return expressionCandidates(ir, sampler, type.of, type.bounds);
    case "enum":
      return [...type.values.map(({ value }) => value), "no such word", "", 7, null];
    case "struct":
      return [...recordCandidates(sampler, type, {}), "text", null, []];
    case "union":
      return [
        ...type.variants.flatMap((variant) =>
          recordCandidates(sampler, variant, { [type.tag]: variant.tag }),
        ),
        { [type.tag]: "no such tag" },
        {},
        "text",
      ];
  }
}

function expressionCandidates(
  ir: SystemIr,
  sampler: Sampler,
  type: TypeExpressionIr,
  bounds: BoundsIr,
): readonly JsonData[] {
  switch (type.kind) {
    case "primitive":
      return scalarCandidates(type.name, bounds);
    case "const":
      return [type.value, `${type.value}x`, null];
    case "list":
      return listCandidates(sampler, type.of, bounds);
    case "map":
      return mapCandidates(sampler, type, bounds);
    case "named": {
      const named = typeOf(ir, type);
      const { valid, invalid } = sampler.ofType(type);
      // A bound on the use narrows the newtype's own: both kinds of edge are candidates.
      const narrowed =
        named.kind === "newtype" && bounds !== unbounded
          ? expressionCandidates(ir, sampler, named.of, { ...named.bounds, ...defined(bounds) })
          : [];
      // The type has a suite of its own; its users need to show only that they ask it.
      const faulty = invalid.slice(0, borrowedMax).map(({ value }) => value);
      const kept = named.kind === "enum" ? valid : valid.slice(0, borrowedMax);
      return [...kept, ...narrowed, ...faulty];
    }
  }
}

function sort(
  ir: SystemIr,
  type: TypeExpressionIr,
  bounds: BoundsIr,
  candidates: readonly JsonData[],
): Samples {
  const seen = new Set<string>();
  const valid: JsonData[] = [];
  const invalid: FaultySample[] = [];
  const counts = new Map<string, number>();
  for (const value of candidates) {
    const key = JSON.stringify(value);
    if (seen.has(key)) continue;
    seen.add(key);
    const [fault, another] = faultsOf(ir, type, bounds, value);
    if (fault === undefined) {
      if (valid.length < validMax) valid.push(value);
      continue;
    }
    const place = `${fault.path} ${fault.rule}`;
    const count = counts.get(place) ?? 0;
    if (another !== undefined || count >= perRuleMax) continue;
    counts.set(place, count + 1);
    invalid.push({ ...fault, value });
  }
  return { valid, invalid };
}

function defined(bounds: BoundsIr): Partial<BoundsIr> {
  const entries = Object.entries(bounds).filter(
    ([, bound]) => bound !== undefined && bound !== false,
  );
  return Object.fromEntries(entries);
}
