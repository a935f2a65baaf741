import { parseCaller, parseName, parseOperationId } from "@connectors/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trusted } from "../identity/trusted.js";
import { explainPolicy, listMatchingRules, type PolicyRequest } from "./explain-policy.js";
import { mayApprove } from "./may-approve.js";
import { readPolicy, type Policy } from "./policy-document.js";

const restart = {
  callers: ["os:ada", "os:bob"],
  adapters: ["prod"],
  operation: "deployment.rollout_restart",
  namespaces: ["web"],
  names: ["api", "job-*"],
  approvers: ["ada"],
  self_approval: "allowed",
};
const exec = {
  ...restart,
  operation: "pods.exec",
  names: ["*"],
  commands: [{ exact: ["id"] }, { prefix: ["cat", "/etc"] }],
  approvers: ["carol"],
  self_approval: "forbidden",
};

function policyOf(...rules: readonly object[]): Policy {
  const policy = readPolicy({ format: "connectors.policy/1", id: "local", rules });
  if (!policy.ok) throw new Error(policy.failure.message);
  return policy.value;
}

function caller(name: string): PolicyRequest["caller"] {
  return trusted(parseCaller(name), "a caller");
}

const wanted = {
  caller: caller("os:ada"),
  adapter: trusted(parseName("prod"), "a name"),
  operation: trusted(parseOperationId("deployment.rollout_restart"), "an operation"),
  facts: { namespace: "web", name: "api", command: null },
};

function execOf(command: readonly string[]): PolicyRequest {
  return {
    ...wanted,
    operation: trusted(parseOperationId("pods.exec"), "an operation"),
    facts: { namespace: "web", name: "api-0", command },
  };
}

describe("a policy", () => {
  test("denies what no rule matches, and everything without rules", () => {
    expect(explainPolicy(policyOf(), wanted)).toEqual({ allowed: false, rules: [] });
    expect(explainPolicy(policyOf(exec), wanted).allowed).toBe(false);
  });

  test("allows what one rule matches all of, and says which", () => {
    const told = explainPolicy(policyOf(exec, restart), wanted);
    expect(told.allowed).toBe(true);
    expect(told.rules.map((rule) => rule.unmatched)).toEqual([["operation", "commands"], []]);
  });

  test.each([
    ["callers", { ...wanted, caller: caller("os:eve") }],
    ["adapters", { ...wanted, adapter: trusted(parseName("staging"), "a name") }],
    ["operation", { ...wanted, operation: trusted(parseOperationId("pods.delete"), "an id") }],
    ["namespaces", { ...wanted, facts: { ...wanted.facts, namespace: "web2" } }],
    ["names", { ...wanted, facts: { ...wanted.facts, name: "apix" } }],
    ["commands", { ...wanted, facts: { ...wanted.facts, command: ["id"] } }],
  ])("says that %s did not match when nothing else is wrong", (member, request) => {
    const told = explainPolicy(policyOf(restart), request);
    expect(told.allowed).toBe(false);
    expect(told.rules[0]?.unmatched).toEqual([member]);
  });

  test("does not let two rules that match a half each allow the whole", () => {
    const elsewhere = { ...restart, adapters: ["staging"] };
    const other = { ...restart, namespaces: ["db"] };
    expect(explainPolicy(policyOf(elsewhere, other), wanted).allowed).toBe(false);
  });

  test.each([
    [["id"], true],
    [["id", "-u"], false],
    [["cat", "/etc"], true],
    [["cat", "/etc", "passwd"], true],
    [["cat", "/etc/passwd"], false],
    [["cat"], false],
    [["CAT", "/etc"], false],
    [["sh", "-c", "id"], false],
  ])("compares the elements of the command %j whole", (command, allowed) => {
    expect(explainPolicy(policyOf(exec), execOf(command)).allowed).toBe(allowed);
  });

  test("allows any command only where a rule says any", () => {
    const any = { ...exec, commands: "any" };
    const { commands: _, ...silent } = exec;
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (command) => {
        expect(explainPolicy(policyOf(any), execOf(command)).allowed).toBe(true);
        expect(explainPolicy(policyOf(silent), execOf(command)).allowed).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  test("lets the caller approve only where a matching rule allows it by name", () => {
    const ada = trusted(parseName("ada"), "a name");
    const carol = trusted(parseName("carol"), "a name");
    const rules = listMatchingRules(policyOf(restart), wanted);
    expect(mayApprove(rules, ada, caller("os:ada"))).toBe(true);
    expect(mayApprove(rules, carol, caller("os:ada"))).toBe(false);
    const strict = listMatchingRules(policyOf({ ...restart, self_approval: "forbidden" }), wanted);
    expect(mayApprove(strict, ada, caller("os:ada"))).toBe(false);
    expect(mayApprove(strict, ada, caller("os:bob"))).toBe(true);
    // What `init` makes of a user's name is still that user.
    expect(mayApprove(strict, ada, caller("os:Ada"))).toBe(false);
    expect(mayApprove([], ada, caller("os:bob"))).toBe(false);
  });
});
