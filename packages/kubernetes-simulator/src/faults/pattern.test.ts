import * as fc from "fast-check";
import { expect, test } from "vitest";

import { matchesPattern } from "./pattern.js";

test("a pattern without a star matches itself alone", () => {
  expect(matchesPattern("/api/v1", "/api/v1")).toBe(true);
  expect(matchesPattern("/api/v1", "/api/v1/")).toBe(false);
  expect(matchesPattern("", "")).toBe(true);
  expect(matchesPattern("", "a")).toBe(false);
});

test("a star stands for any run, an empty one too", () => {
  expect(matchesPattern("/apis/*/deployments/*", "/apis/apps/v1/deployments/api")).toBe(true);
  expect(matchesPattern("*", "")).toBe(true);
  expect(matchesPattern("a*b*c", "abbbc")).toBe(true);
  expect(matchesPattern("a*b*c", "abbb")).toBe(false);
  expect(matchesPattern("*.*", "a")).toBe(false);
});

test("a pattern matches as the regular expression that it stands for", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 12 });
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 16 });
  fc.assert(
    fc.property(letters, text, (pattern, subject) => {
      const expression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "u");
      expect(matchesPattern(pattern, subject)).toBe(expression.test(subject));
    }),
  );
});

test("a pattern made to be slow is not", () => {
  const pattern = `${"*a".repeat(200)}b`;
  expect(matchesPattern(pattern, "a".repeat(20_000))).toBe(false);
});
