import { compareText } from "../../diagnostics/diagnostic.js";
import type { BoundsIr, TypeExpressionIr } from "../../ir/type-ir.js";
import type { JsonData } from "../../shape/json-node.js";
import type { Sampler } from "./samples.js";

// Longer lists would swell the generated file and say nothing new; records take longest to check.
const itemsMax = 1_100;
const recordsMax = 64;

/** Lists near the edges of their bounds. */
export function listCandidates(
  sampler: Sampler,
  of: TypeExpressionIr,
  bounds: BoundsIr,
): readonly JsonData[] {
  const { valid, invalid } = sampler.ofExpression(of);
  const [first] = valid;
  if (first === undefined) return [[], "text", null];
  const most = typeof first === "object" ? recordsMax : itemsMax;
  const sizes = [0, 1, 2, ...edges(bounds)].filter((size) => size <= most);
  const repeated = sizes.map((size) => Array.from({ length: size }, () => first));
  const varied = sizes
    .map((size) => variedItems(valid, size))
    .filter((items) => items !== undefined);
  const faulty = invalid.slice(0, 4).map(({ value }) => [value]);
  const sorted = [...valid].toSorted((left, right) =>
    compareText(JSON.stringify(left), JSON.stringify(right)),
  );
  const wholes = [valid, sorted, sorted.toReversed(), [first, first]];
  const fat = fattest(valid, bounds);
  return [[first], ...varied, ...repeated, ...wholes, ...fat, ...faulty, "text", {}, null];
}

/** Maps near the edges of their bounds. */
export function mapCandidates(
  sampler: Sampler,
  type: TypeExpressionIr & { readonly kind: "map" },
  bounds: BoundsIr,
): readonly JsonData[] {
  const keys = sampler.ofExpression(type.key);
  const values = sampler.ofExpression(type.of);
  const names = keys.valid.filter((key) => typeof key === "string");
  const [name] = names;
  const [value] = values.valid;
  if (name === undefined || value === undefined) return [{}, "text", null];
  const sized = [0, 1, ...edges(bounds)].map((size) => {
    const all = size <= names.length ? names.slice(0, size) : numbered(size);
    return Object.fromEntries(all.map((key) => [key, value]));
  });
  const faultyKeys = keys.invalid
    .map(({ value: key }) => key)
    .filter((key): key is string => typeof key === "string" && key.length < 300)
    .slice(0, 2)
    .map((key) => ({ [key]: value }));
  const faultyValues = values.invalid.slice(0, 3).map((sample) => ({ [name]: sample.value }));
  return [{ [name]: value }, ...sized, ...faultyKeys, ...faultyValues, "text", [], null];
}

function edges({ items }: BoundsIr): readonly number[] {
  return [items?.min, items?.max]
    .flatMap((bound) => (bound === undefined ? [] : [Number(bound.value), Number(bound.value) + 1]))
    .concat(items?.min === undefined ? [] : [Number(items.min.value) - 1])
    .filter((size) => size >= 0 && size <= itemsMax);
}

// Different items: the samples themselves, or texts that are numbered.
function variedItems(valid: readonly JsonData[], size: number): readonly JsonData[] | undefined {
  if (size <= valid.length) return valid.slice(0, size);
  return typeof valid[0] === "string" ? numbered(size) : undefined;
}

function numbered(size: number): readonly string[] {
  return Array.from({ length: size }, (_, index) => `n${String(index).padStart(4, "0")}`);
}

// As many of the longest texts as make up the bytes in all, and one more letter.
function fattest(valid: readonly JsonData[], { totalBytes }: BoundsIr): readonly JsonData[] {
  const max = totalBytes?.max?.value;
  if (max === undefined) return [];
  const texts = valid.filter((value) => typeof value === "string");
  const longest = texts.toSorted((left, right) => right.length - left.length)[0] ?? "";
  const count = Math.floor(Number(max) / Math.max(1, longest.length));
  if (count > itemsMax) return [];
  const full = Array.from({ length: count }, () => longest);
  return [full, [...full, "a"]];
}
