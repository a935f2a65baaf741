import { expect, test } from "vitest";
import { didYouMean, nearestWord } from "./did-you-mean.js";

test.each([
  ["dve", "dev"],
  ["contaner", "container"],
  ["pod", "pods"],
  ["deployment.rollout_restrat", "deployment.rollout_restart"],
])("%s may mean %s", (word, meant) => {
  expect(nearestWord(word, ["dev", "container", "pods", "deployment.rollout_restart"])).toBe(meant);
});

test("what is like nothing means nothing", () => {
  expect(didYouMean("xyz", ["dev", "staging"])).toBe("");
  expect(didYouMean("", [])).toBe("");
});

test("a word of any length is compared in bounded time", () => {
  expect(nearestWord("x".repeat(1_000_000), ["dev"])).toBeNull();
});
