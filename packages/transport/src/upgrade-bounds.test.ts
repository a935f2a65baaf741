import { describe, expect, test } from "vitest";
import { upgradeMessageBytesMax, upgradeMsMax, upgradeTotalBytesMax } from "@connectors/domain";
import { given, summary } from "./testing/test-scope.js";
import { makeUpgradeBounds } from "./upgrade-bounds.js";

const ceilings = {
  messageBytesMax: upgradeMessageBytesMax,
  totalBytesMax: upgradeTotalBytesMax,
  timeoutMs: upgradeMsMax,
};

describe("upgrade bounds", () => {
  test("may be at their ceilings, and at one", () => {
    expect(given(makeUpgradeBounds(ceilings))).toEqual(ceilings);
    const ones = { messageBytesMax: 1, totalBytesMax: 1, timeoutMs: 1 };
    expect(given(makeUpgradeBounds(ones))).toEqual(ones);
  });

  test.each([
    ["a message over its ceiling", { messageBytesMax: upgradeMessageBytesMax + 1 }],
    ["a whole over its ceiling", { totalBytesMax: upgradeTotalBytesMax + 1 }],
    ["a time over its ceiling", { timeoutMs: upgradeMsMax + 1 }],
    ["a message over the whole", { messageBytesMax: 2, totalBytesMax: 1 }],
    ["a message of nothing", { messageBytesMax: 0 }],
    ["a whole of nothing", { totalBytesMax: 0 }],
    ["no time", { timeoutMs: 0 }],
    ["a fraction", { timeoutMs: 1.5 }],
    ["no number", { timeoutMs: Number.NaN }],
  ])("with %s are refused", (_what, change) => {
    expect(summary(makeUpgradeBounds({ ...ceilings, ...change }))).toBe("invalid_input");
  });
});
