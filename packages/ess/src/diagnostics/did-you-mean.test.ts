import { expect, test } from "vitest";
import { nearest } from "./did-you-mean.js";

test.each([
  ["Digst", ["Digest", "Direct"], "Digest"],
  ["presense", ["presence", "present"], "presence"],
  ["frist", ["first", "fruit"], "first"],
  ["ERRORS", ["errors"], "errors"],
  ["nothing", ["anything else"], undefined],
  ["h", ["f"], undefined],
  ["", ["a"], undefined],
])("the word nearest to %j among %j is %j", (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});
