import type { Caller, CommandRule, Name, OperationId } from "@connectors/domain";
import type { PolicyFacts } from "@connectors/sdk";
import { matchesPattern } from "./name-pattern.js";
import type { AllowedCommands, Policy, ReadRule } from "./policy-document.js";

/** What a policy is asked about: who wants which operation on what. */
export interface PolicyRequest {
  readonly caller: Caller;
  readonly adapter: Name;
  readonly operation: OperationId;
  readonly facts: PolicyFacts;
}

/** A member of a rule that takes part in matching. */
export type MatchedMember =
  | "callers"
  | "adapters"
  | "operation"
  | "namespaces"
  | "names"
  | "commands";

/** How one rule stands to a request: it matches when nothing of it is unmatched. */
export interface RuleExplanation {
  /** Its place in the document, from 0. */
  readonly index: number;
  readonly rule: ReadRule;
  readonly unmatched: readonly MatchedMember[];
}

/** Whether a policy allows a request, and what each rule says. */
export interface PolicyExplanation {
  readonly allowed: boolean;
  readonly rules: readonly RuleExplanation[];
}

/** Every rule beside the request. A policy without a rule that matches all of it denies. */
export function explainPolicy(policy: Policy, request: PolicyRequest): PolicyExplanation {
  const rules = policy.rules.map((rule, index) => {
    return { index, rule, unmatched: findUnmatched(rule, request) };
  });
  return { allowed: rules.some((rule) => rule.unmatched.length === 0), rules };
}

/** The rules that match all of the request; none of them means denied. */
export function listMatchingRules(policy: Policy, request: PolicyRequest): readonly ReadRule[] {
  return policy.rules.filter((rule) => findUnmatched(rule, request).length === 0);
}

function findUnmatched(rule: ReadRule, request: PolicyRequest): readonly MatchedMember[] {
  const { namespace, name, command } = request.facts;
  const matched: Readonly<Record<MatchedMember, boolean>> = {
    callers: rule.callers.includes(request.caller),
    adapters: rule.adapters.includes(request.adapter),
    operation: rule.operation === request.operation,
    namespaces: rule.namespaces.includes(namespace),
    names: rule.names.some((pattern) => matchesPattern(pattern, name)),
    commands: matchesCommands(rule.commands, command),
  };
  return members.filter((member) => !matched[member]);
}

const members: readonly MatchedMember[] = [
  "callers",
  "adapters",
  "operation",
  "namespaces",
  "names",
  "commands",
];

// An operation that runs a command needs a rule that speaks of commands, and the other way round.
function matchesCommands(allowed: AllowedCommands, command: readonly string[] | null): boolean {
  if (allowed === null || command === null) return allowed === null && command === null;
  return allowed === "any" || allowed.some((rule) => matchesCommand(rule, command));
}

function matchesCommand(rule: CommandRule, command: readonly string[]): boolean {
  if (rule.kind === "exact" && rule.argv.length !== command.length) return false;
  return rule.argv.every((element, at) => element === command[at]);
}
