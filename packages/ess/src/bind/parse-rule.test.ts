import { describe, expect, test } from "vitest";
import { ruleHolds } from "../check/rule-holds.js";
import { parseRule } from "./parse-rule.js";

const record = {
  low: 1,
  high: 2,
  word: "on",
  none: null,
  list: [1, 2],
  text: "é😀",
  flag: true,
  inner: { low: 5 },
};

describe("a rule", () => {
  test.each([
    ["low < high", true],
    ["low >= high", false],
    ["low < high && word == 'off'", false],
    ['word == "on" || low > high', true],
    ["low > high || low < high && word == 'on'", true],
    ["(low > high || low < high) && word == 'off'", false],
    ["!(low > high)", true],
    ["!!(low > high)", false],
    ["!(low > high || word == 'off')", true],
    ["!(low < high && word == 'on')", false],
    ["flag", true],
    ["!flag", false],
    ["none == null", true],
    ["none != null", false],
    ["absent == null", true],
    ["list.count == 2", true],
    ["text.count == 2", true],
    ["inner.low == 5", true],
    ["inner.low > high", true],
    ["low == -1", false],
    ["low < none", false],
    ["low >= none", false],
    // Neither an order with something absent nor its opposite is known to hold.
    ["!(low < none)", false],
    ["none == null || low < none", true],
  ])("%s is %s", (text, expected) => {
    const parsed = parseRule(text);
    expect(parsed.ok && ruleHolds(parsed.rule, record)).toBe(expected);
    expect(parsed.ok).toBe(true);
  });

  test.each([
    ["", 0],
    ["low <", 5],
    ["low < high &&", 13],
    ["low = high", 4],
    ["low < 'high", 6],
    ["(low", 4],
    ["low)", 3],
    ["a b", 2],
    ["1..2", 1],
    [`${"(".repeat(40)}a${")".repeat(40)}`, 33],
  ])("%s is none, from character %i on", (text, at) => {
    expect(parseRule(text)).toMatchObject({ ok: false, at });
  });
});
