import {
  encodeCanonicalPolicyDocument,
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

function isOurs(rule: PolicyRule, name: Name, { caller, approver }: AllowParties): boolean {
  return (
    rule.callers.join() === caller &&
    rule.adapters.join() === name &&
    rule.approvers.join() === approver
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
 * approver; rules that a person wrote otherwise stay as they are. Null when nothing changes.
 */
export function withAllowRules(
  current: PolicyDocument | null,
  file: AdapterFile,
  parties: AllowParties,
): Outcome<PolicyDocument | null> {
  const kept = (current?.rules ?? []).filter((rule) => !isOurs(rule, file.name, parties));
  const added = file.configuration.operations.map((operation) => ruleFor(file, operation, parties));
  const next = parsePolicyDocument({
    format: "connectors.policy/1",
    id: current?.id ?? "local",
    rules: [...kept, ...added],
  });
  if (!next.ok) return fail("capacity", "the policy would not fit its bounds any more");
  const same =
    current !== null &&
    encodeCanonicalPolicyDocument(current) === encodeCanonicalPolicyDocument(next.value);
  return succeed(same || (current === null && added.length === 0) ? null : next.value);
}

/** Puts the rules of `--allow` into the policy; true when it changed. */
export async function allowOperations(
  host: Host,
  file: AdapterFile,
  parties: AllowParties,
): Promise<Outcome<boolean>> {
  const current = await host.policy.show();
  if (!current.ok) return current;
  const next = withAllowRules(current.value?.document ?? null, file, parties);
  if (!next.ok) return next;
  if (next.value === null) return succeed(false);
  const bytes = new TextEncoder().encode(encodeCanonicalPolicyDocument(next.value));
  const set = await host.policy.set(bytes);
  return set.ok ? succeed(true) : set;
}
