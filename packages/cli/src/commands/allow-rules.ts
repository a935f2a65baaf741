import {
  encodeCanonicalPolicyDocument,
  encodeCanonicalPolicyRule,
  parsePolicyDocument,
  type AdapterFile,
  type Caller,
  type Name,
  type PolicyDocument,
  type PolicyRule,
} from "@connectors/domain";
import type { Host } from "@connectors/runtime";
import { fail, succeed, type Outcome } from "@connectors/sdk";

/** Who the rules of `adapters add --allow` are about. */
export interface AllowParties {
  readonly caller: Caller;
  readonly approver: Name;
}

/** What became of the rules of one caller and adapter, each in words. */
export interface PolicyChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Whether an earlier `--allow` made this rule: one that a person narrowed is theirs. */
function isOurs(rule: PolicyRule, name: Name, { caller, approver }: AllowParties): boolean {
  return (
    rule.callers.join() === caller &&
    rule.adapters.join() === name &&
    rule.approvers.join() === approver &&
    rule.names.join() === "*" &&
    (rule.commands === undefined || rule.commands === "any") &&
    rule.self_approval === "allowed"
  );
}

function ruleFor(file: AdapterFile, operation: string, parties: AllowParties): object {
  return {
    callers: [parties.caller],
    adapters: [file.name],
    operation,
    namespaces: [...file.configuration.namespaces],
    names: ["*"],
    ...(operation === "pods.exec" ? { commands: "any" } : {}),
    approvers: [parties.approver],
    self_approval: "allowed",
  };
}

/**
 * The policy with exactly the rules that `--allow` stands for, for this caller, adapter and
 * approver; rules that a person wrote otherwise stay as they are.
 */
export function withAllowRules(
  current: PolicyDocument | null,
  file: AdapterFile,
  parties: AllowParties,
): Outcome<PolicyDocument> {
  const kept = (current?.rules ?? []).filter((rule) => !isOurs(rule, file.name, parties));
  const added = file.configuration.operations.map((operation) => ruleFor(file, operation, parties));
  const next = parsePolicyDocument({
    format: "connectors.policy/1",
    id: current?.id ?? "local",
    rules: [...kept, ...added],
  });
  return next.ok
    ? succeed(next.value)
    : fail("capacity", "the policy would not fit its bounds any more", {
        hint: "`connectors policy show` prints it: set a shorter one with `connectors policy set`.",
      });
}

function describeRule({ operation, callers, namespaces, adapters }: PolicyRule): string {
  return `${callers.join()} ${operation} of ${adapters.join()} in ${namespaces.join(", ")}`;
}

/** What replacing one policy by the other changes; null when it is the same. */
export function comparePolicies(
  before: PolicyDocument | null,
  after: PolicyDocument,
): PolicyChange | null {
  const rules = before?.rules ?? [];
  const missing = (of: readonly PolicyRule[], among: readonly PolicyRule[]): readonly string[] => {
    const there = new Set(among.map(encodeCanonicalPolicyRule));
    return of.filter((rule) => !there.has(encodeCanonicalPolicyRule(rule))).map(describeRule);
  };
  const same =
    before === null
      ? after.rules.length === 0
      : encodeCanonicalPolicyDocument(before) === encodeCanonicalPolicyDocument(after);
  return same ? null : { added: missing(after.rules, rules), removed: missing(rules, after.rules) };
}

/** Puts the rules of `--allow` into the policy; null when it stays as it was. */
export async function allowOperations(
  host: Host,
  file: AdapterFile,
  parties: AllowParties,
): Promise<Outcome<PolicyChange | null>> {
  const current = await host.policy.show();
  if (!current.ok) return current;
  const before = current.value?.document ?? null;
  const next = withAllowRules(before, file, parties);
  if (!next.ok) return next;
  const change = comparePolicies(before, next.value);
  if (change === null) return succeed(null);
  const bytes = new TextEncoder().encode(encodeCanonicalPolicyDocument(next.value));
  const set = await host.policy.set(bytes);
  return set.ok ? succeed(change) : set;
}
