import { alphabetPattern } from "../emit/alphabet.js";
import type { BoundsIr, RangeIr, TypeExpressionIr } from "../ir/type-ir.js";
import type { JsonData } from "../shape/json-node.js";

/** The rules of `bounds` that `value` breaks; the value is of the type already. */
export function boundFaults(
  bounds: BoundsIr,
  value: JsonData,
  type: TypeExpressionIr,
): readonly string[] {
  if (typeof value === "number") return valueFaults(bounds, value);
  if (typeof value === "string") return textFaults(bounds, value, type);
  if (Array.isArray(value)) return listFaults(bounds, value);
  if (typeof value !== "object" || value === null) return [];
  return rangeFaults(bounds.items, "items", () => Object.keys(value).length);
}

function valueFaults({ min, max }: BoundsIr, value: number | bigint): readonly string[] {
  return [
    ...(min !== undefined && value < min.value ? ["min"] : []),
    ...(max !== undefined && value > max.value ? ["max"] : []),
  ];
}

function textFaults(bounds: BoundsIr, value: string, type: TypeExpressionIr): readonly string[] {
  const isNumber = bounds.min !== undefined || bounds.max !== undefined;
  const isBytes = type.kind === "primitive" && type.name === "Bytes";
  return [
    ...(isNumber ? valueFaults(bounds, BigInt(value)) : []),
    ...rangeFaults(bounds.length, "length", () => Array.from(value).length),
    ...rangeFaults(bounds.bytes, "bytes", () =>
      Buffer.byteLength(value, isBytes ? "base64url" : "utf8"),
    ),
    ...(matches(bounds.pattern, value) ? [] : ["pattern"]),
    ...(bounds.alphabet === undefined || matches(alphabetPattern(bounds.alphabet), value)
      ? []
      : ["alphabet"]),
  ];
}

function listFaults(bounds: BoundsIr, items: readonly JsonData[]): readonly string[] {
  return [
    ...rangeFaults(bounds.items, "items", () => items.length),
    ...rangeFaults(bounds.totalBytes, "total_bytes", () => totalBytes(items)),
    ...(bounds.distinct && !isDistinct(items) ? ["distinct"] : []),
    ...(bounds.sorted && !isAscending(items) ? ["sorted"] : []),
  ];
}

// The size is asked for only where there is a bound: it costs a walk over the value.
function rangeFaults(
  range: RangeIr | undefined,
  rule: string,
  sizeOf: () => number,
): readonly string[] {
  if (range === undefined) return [];
  const size = sizeOf();
  return [
    ...(range.min !== undefined && size < range.min.value ? [`${rule}_min`] : []),
    ...(range.max !== undefined && size > range.max.value ? [`${rule}_max`] : []),
  ];
}

function totalBytes(items: readonly JsonData[]): number {
  return items.reduce(
    (sum: number, item) => sum + (typeof item === "string" ? Buffer.byteLength(item) : 0),
    0,
  );
}

function isDistinct(items: readonly JsonData[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

function isAscending(items: readonly JsonData[]): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    return before === undefined || item === null || before === null || before <= item;
  });
}

function matches(pattern: string | undefined, value: string): boolean {
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}
