import { describe, expect, test } from "vitest";
import { areDistinct, areSorted, totalBytes } from "./list-rules.js";
import { compares, countOf } from "./rules.js";

describe("rules of lists", () => {
  test("items are distinct by value, whatever the order of their members", () => {
    expect(areDistinct(["a", "b", 1, "1"])).toBe(true);
    expect(areDistinct(["a", "a"])).toBe(false);
    expect(
      areDistinct([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe(false);
    expect(areDistinct([[1], [2], null])).toBe(true);
  });

  test("items are sorted by code unit or by number", () => {
    expect(areSorted(["A", "a", "a", "é"])).toBe(true);
    expect(areSorted(["b", "a"])).toBe(false);
    expect(areSorted([2, 10])).toBe(true);
    expect(areSorted([10n, 2n])).toBe(false);
    expect(areSorted([])).toBe(true);
  });

  test("all bytes are counted together", () => {
    expect(totalBytes(["é", "a", ""])).toBe(3);
  });
});

describe("rules of records", () => {
  test("an order with something absent does not hold", () => {
    expect(compares(1, "<", 2)).toBe(true);
    expect(compares(2, "<=", 2)).toBe(true);
    expect(compares("b", ">", "a")).toBe(true);
    expect(compares(1, ">=", 2)).toBe(false);
    expect(compares(null, "<", 2)).toBe(false);
    expect(compares(1, ">", null)).toBe(false);
  });

  test("texts count by character, lists by item, maps by entry", () => {
    expect(countOf("😀a")).toBe(2);
    expect(countOf([1, 2, 3])).toBe(3);
    expect(countOf({ a: 1 })).toBe(1);
    expect(countOf(undefined)).toBeNull();
  });
});
