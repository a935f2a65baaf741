import { describe, expect, test } from "vitest";
import { samplePattern } from "./sample-pattern.js";

describe("samples of a pattern", () => {
  test.each([
    ["^[0-9a-f]{64}$", [], ["a".repeat(64)]],
    ["^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$", [63], ["a", "a".repeat(63)]],
    ["^(none|[1-9][0-9]*)$", [3], ["none", "10"]],
    ["^os:[!-~]+$", [6], ["os:a", "os:aaa"]],
    ["^(?:a|b)\\.c$", [], ["a.c", "b.c"]],
    ["^\\d{2}T\\w?$", [4], ["00T", "00Ta"]],
  ])("of %s with lengths %j", (source, lengths, expected) => {
    const samples = samplePattern(source, lengths);
    const pattern = new RegExp(source, "u");
    for (const text of expected) expect(text).toMatch(pattern);
    expect(samples.filter((text) => pattern.test(text))).toEqual(
      expect.arrayContaining(expected.slice(0, 1)),
    );
    for (const length of lengths.filter((size) => size > 10)) {
      expect(samples.some((text) => text.length === length && pattern.test(text))).toBe(true);
    }
  });

  test("are none where the pattern says more than is understood", () => {
    expect(samplePattern("^(?=a)b$", [])).toEqual([]);
    expect(samplePattern("^[^\\s\\S]$", [])).toEqual([]);
  });
});
