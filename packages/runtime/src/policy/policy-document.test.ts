import { policyCommandsMax, policyRulesMax } from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { parsePolicy } from "./policy-document.js";

const rule = {
  callers: ["os:ada"],
  adapters: ["prod"],
  operation: "deployment.rollout_restart",
  namespaces: ["web"],
  names: ["api", "job-*"],
  approvers: ["ada"],
  self_approval: "allowed",
};

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

function documentOf(...rules: readonly object[]): object {
  return { format: "connectors.policy/1", id: "local", rules };
}

function codeOf(value: unknown): string {
  const policy = parsePolicy(bytesOf(value));
  return policy.ok ? "ok" : policy.failure.code;
}

describe("a policy document", () => {
  test("is read with the commands of its rules", () => {
    const commands = [{ exact: ["id"] }, { prefix: ["cat"] }];
    const policy = parsePolicy(bytesOf(documentOf(rule, { ...rule, commands })));
    expect(policy.ok && policy.value.rules.map((r) => r.commands)).toEqual([
      null,
      [
        { kind: "exact", argv: ["id"] },
        { kind: "prefix", argv: ["cat"] },
      ],
    ]);
  });

  test("has a digest that spacing and the order of members do not change", () => {
    const one = parsePolicy(bytesOf(documentOf(rule)));
    const reversed = Object.fromEntries(Object.entries(documentOf(rule)).toReversed());
    const two = parsePolicy(bytesOf(JSON.stringify(reversed, null, 4)));
    expect(one.ok && two.ok && one.value.sha256 === two.value.sha256).toBe(true);
  });

  test("holds no rule at all, which denies everything", () => {
    expect(codeOf(documentOf())).toBe("ok");
  });

  test.each([
    ["not JSON", "{"],
    ["a duplicate member", '{"format":"connectors.policy/1","format":"connectors.policy/1"}'],
    ["another format", { ...documentOf(rule), format: "connectors.policy/2" }],
    ["an unknown member", { ...documentOf(rule), comment: "hello" }],
    ["an unknown member of a rule", documentOf({ ...rule, comment: "hello" })],
    ["a rule that names no adapter", documentOf({ ...rule, adapters: [] })],
    ["a rule without an operation", documentOf({ ...rule, operation: undefined })],
    ["a caller that is not one", documentOf({ ...rule, callers: ["ada"] })],
    ["a caller named twice", documentOf({ ...rule, callers: ["os:ada", "os:ada"] })],
    ["commands that are an empty list", documentOf({ ...rule, commands: [] })],
    ["commands that are another word", documentOf({ ...rule, commands: "all" })],
    [
      "a command of two forms",
      documentOf({ ...rule, commands: [{ exact: ["a"], prefix: ["b"] }] }),
    ],
    ["a command of no form", documentOf({ ...rule, commands: [{}] })],
    ["a command of an unknown form", documentOf({ ...rule, commands: [{ regexp: ["a"] }] })],
    [
      "a command in the model's own form",
      documentOf({ ...rule, commands: [{ kind: "exact", argv: ["a"] }] }),
    ],
    ["a command without elements", documentOf({ ...rule, commands: [{ exact: [] }] })],
    ["a command that is a text", documentOf({ ...rule, commands: ["id"] })],
  ])("is refused with %s", (_what, value) => {
    expect(codeOf(value)).toBe("invalid_input");
  });

  test("holds its bounds of rules and commands, and not one more", () => {
    const rules = (count: number): object[] => Array.from({ length: count }, () => rule);
    expect(codeOf(documentOf(...rules(policyRulesMax)))).toBe("ok");
    expect(codeOf(documentOf(...rules(policyRulesMax + 1)))).toBe("invalid_input");
    const commands = (count: number): object => ({
      ...rule,
      commands: Array.from({ length: count }, (_, at) => ({ exact: [`c${at}`] })),
    });
    expect(codeOf(documentOf(commands(policyCommandsMax)))).toBe("ok");
    expect(codeOf(documentOf(commands(policyCommandsMax + 1)))).toBe("invalid_input");
  });

  test("is refused when it is larger than its bound, before it is read", () => {
    expect(codeOf(" ".repeat(300_000))).toBe("capacity");
  });
});
