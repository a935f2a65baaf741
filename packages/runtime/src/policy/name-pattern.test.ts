import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesPattern } from "./name-pattern.js";

// The same meaning by the shortest road: too slow for untrusted patterns, good as a judge.
function judge(pattern: string, name: string): boolean {
  const escaped = pattern.split("*").map((piece) => piece.replaceAll(/[.-]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`, "s").test(name);
}

describe("a name pattern", () => {
  test.each([
    ["api", "api", true],
    ["api", "api-0", false],
    ["*", "", true],
    ["*", "anything", true],
    ["job-*", "job-", true],
    ["job-*", "job", false],
    ["*-0", "api-0", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["a**a", "aba", true],
    ["a.b", "axb", false],
    ["a*b*c", "aXbXbXc", true],
    ["a*b*c", "aXcXb", false],
  ])("%j beside %j is %s", (pattern, name, expected) => {
    expect(matchesPattern(pattern, name)).toBe(expected);
  });

  test("means what the same expression means to a regular expression", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", "-", ".", "*"), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom("a", "b", "-", "."), maxLength: 10 });
    fc.assert(
      fc.property(piece, name, (pattern, text) => {
        expect(matchesPattern(pattern, text)).toBe(judge(pattern, text));
      }),
      { numRuns: 2000 },
    );
  });

  test("stays quick when every star could start anywhere", () => {
    const pattern = `${"*a".repeat(126)}*`;
    expect(matchesPattern(pattern, "a".repeat(100) + "b".repeat(153))).toBe(false);
  });
});
