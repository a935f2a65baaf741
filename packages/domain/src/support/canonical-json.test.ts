import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.js";

describe("canonical JSON", () => {
  test("is what RFC 8785 gives for its own examples", () => {
    const value = {
      numbers: JSON.parse("[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]"),
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test("sorts members by UTF-16 code unit, as RFC 8785 asks", () => {
    const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"];
    const value = Object.fromEntries(sorted.toReversed().map((name) => [name, 0]));
    expect(canonicalJson(value)).toBe(
      `{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(",")}}`,
    );
  });

  test("writes minus zero as zero and a bigint as its decimal string", () => {
    expect(canonicalJson([-0, 2n ** 63n])).toBe('[0,"9223372036854775808"]');
  });

  test("agrees with another implementation about 5,000 values", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ["undefined", undefined],
    ["an undefined member", { a: undefined }],
    ["a hole", Object.assign([], { length: 1 })],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["not a number", Number.NaN],
    ["infinity", -Infinity],
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate as a name", { "\udc00": 1 }],
  ])("throws for %s", (_what, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test("throws for a value that holds itself", () => {
    const value: unknown[] = [];
    value.push(value);
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
