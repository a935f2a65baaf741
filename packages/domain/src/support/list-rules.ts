import { canonicalJson } from "./canonical-json.js";
import { utf8Bytes } from "./text-size.js";

/** True when no two items are the same value. */
export function areDistinct(items: readonly unknown[]): boolean {
  const seen = new Set(
    items.map((item) => (typeof item === "object" ? canonicalJson(item) : item)),
  );
  return seen.size === items.length;
}

/** True when each item is at least as large as the one before; texts compare by code unit. */
export function areSorted(items: readonly (string | number | bigint)[]): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    return before === undefined || before <= item;
  });
}

/** The UTF-8 bytes of all texts together. */
export function totalBytes(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + utf8Bytes(item), 0);
}
