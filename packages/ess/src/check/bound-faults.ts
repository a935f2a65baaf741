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
  return rangeFaults(bounds.items, "items", Object.keys(value).length);
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
  const size = Buffer.byteLength(value, isBytes ? "base64url" : "utf8");
  return [
    ...(isNumber ? valueFaults(bounds, BigInt(value)) : []),
    ...rangeFaults(bounds.length, "length", Array.from(value).length),
    ...rangeFaults(bounds.bytes, "bytes", size),
    ...(matches(bounds.pattern, value) ? [] : ["pattern"]),
    ...(bounds.alphabet === undefined || matches(alphabetPattern(bounds.alphabet), value)
      ? []
      : ["alphabet"]),
  ];
}

function listFaults(bounds: BoundsIr, items: readonly JsonData[]): readonly string[] {
  const total = items.reduce(
    (sum: number, item) => sum + (typeof item === "string" ? Buffer.byteLength(item) : 0),
    0,
  );
  const distinct = new Set(items.map((item) => JSON.stringify(item))).size === items.length;
  return [
    ...rangeFaults(bounds.items, "items", items.length),
    ...rangeFaults(bounds.totalBytes, "total_bytes", total),
    ...(bounds.distinct && !distinct ? ["distinct"] : []),
    ...(bounds.sorted && !isAscending(items) ? ["sorted"] : []),
  ];
}

function rangeFaults(range: RangeIr | undefined, rule: string, size: number): readonly string[] {
  return [
    ...(range?.min !== undefined && size < range.min.value ? [`${rule}_min`] : []),
    ...(range?.max !== undefined && size > range.max.value ? [`${rule}_max`] : []),
  ];
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
