import { codePoints } from "./text-size.js";

/** True when both sides are there and stand in this order. */
export function compares<T extends number | string>(
  left: T | null,
  operator: "<" | "<=" | ">" | ">=",
  right: T | null,
): boolean {
  if (left === null || right === null) return false;
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

/** The number of code points, items or entries; null for what is not there. */
export function countOf(value: string | object | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return codePoints(value);
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}
