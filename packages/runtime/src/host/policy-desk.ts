import {
  journalBusyMsMax,
  parseRevision,
  type OperationDeclaration,
  type PreparedFile,
  type StoredPolicy,
} from "@connectors/domain";
import { fail, failWith, succeed, type JsonObject, type Outcome } from "@connectors/sdk";
import { decodePrepared } from "../freeze/prepared-file.js";
import { trusted } from "../identity/trusted.js";
import { toTimeMs } from "../journal/measure.js";
import { readCurrentPolicy } from "../policy/current-policy.js";
import {
  explainPolicy,
  type PolicyExplanation,
  type PolicyRequest,
} from "../policy/explain-policy.js";
import { parsePolicy, type Policy, type ReadRule } from "../policy/policy-document.js";
import { describeJournalFailure, describeRefusal } from "../write/journal-refusal.js";
import { hostDraft, type HostScope } from "./host-scope.js";

/** What the policy says to one prepared write. */
export interface PolicyTest {
  readonly request: PolicyRequest;
  readonly explanation: PolicyExplanation;
  /** It is still the policy that the write was frozen under. */
  readonly current: boolean;
}

/** The one policy of a store. */
export interface PolicyDesk {
  /** null when none was ever set: everything is denied. */
  show(): Promise<Outcome<StoredPolicy | null>>;
  /** Replaces it; every proof that is not spent is void from then on. */
  set(bytes: Uint8Array): Promise<Outcome<StoredPolicy>>;
  /** Which rule allows a prepared write, or what each rule misses. */
  test(prepared: Uint8Array): Promise<Outcome<PolicyTest>>;
}

/** The policy of this host's store. */
export function makePolicyDesk(scope: HostScope): PolicyDesk {
  async function show(): Promise<Outcome<StoredPolicy | null>> {
    const view = await scope.journal.query({ kind: "policy", revision: null });
    return view.ok ? succeed(view.value.policy) : view;
  }

  return {
    show,
    async set(bytes) {
      const policy = parsePolicy(bytes);
      if (!policy.ok) return policy;
      const fault = findRuleFault(policy.value, scope);
      if (fault !== undefined) return fail("invalid_input", fault);
      const current = await show();
      if (!current.ok) return current;
      const expected = current.value?.revision ?? null;
      const next: StoredPolicy = {
        revision: trusted(parseRevision((expected ?? 0) + 1), "a revision counts up"),
        sha256: policy.value.sha256,
        document: policy.value.document,
        at_ms: toTimeMs(scope.ambient.clock.nowMs()),
      };
      const done = await scope.journal.transact(
        { kind: "put_policy", expected, policy: next, draft: hostDraft(scope, "policy") },
        { deadlineMs: journalBusyMsMax },
      );
      if (!done.ok) return failWith(describeJournalFailure(done.failure));
      return done.value.kind === "done" ? succeed(next) : failWith(describeRefusal(done.value));
    },
    async test(prepared) {
      const file = decodePrepared(prepared);
      if (!file.ok) return file;
      const request = readRequest(file.value, scope);
      if (!request.ok) return request;
      const current = await readCurrentPolicy(scope.journal);
      if (!current.ok) return current;
      const named = file.value.subject.authority.policy;
      if (current.value === null) return fail("forbidden", "This store has no policy.");
      return succeed({
        request: request.value,
        explanation: explainPolicy(current.value.policy, request.value),
        current:
          current.value.reference.sha256 === named.sha256 &&
          current.value.reference.revision === named.revision,
      });
    },
  };
}

function readRequest(file: PreparedFile, scope: HostScope): Outcome<PolicyRequest> {
  const { target, authority } = file.subject;
  const adapter = scope.adapters.get(target.instance);
  if (adapter === undefined) return fail("unsupported", "This host has no adapter of that name.");
  if (!isObject(file.input)) return fail("invalid_input", "The input is not an object.");
  const checked = adapter.adapter.check(target.operation, file.input);
  if (!checked.ok) return checked;
  const { namespace, name, command } = checked.value;
  return succeed({
    caller: authority.caller,
    adapter: target.instance,
    operation: target.operation,
    facts: { namespace, name, command },
  });
}

function isObject(value: PreparedFile["input"]): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// A rule that could never match is a mistake of whoever wrote it, and better said now. Adapters and
// operations that are not installed are no mistake: they may come later.
function findRuleFault(policy: Policy, scope: HostScope): string | undefined {
  for (const [index, rule] of policy.rules.entries()) {
    for (const declaration of listDeclared(rule, scope)) {
      const runs = declaration.effects.includes("process");
      if (runs === (rule.commands !== null)) continue;
      return runs
        ? `policy: /rules/${index}: an operation that runs a command needs commands`
        : `policy: /rules/${index}/commands: this operation runs no command`;
    }
  }
  return undefined;
}

function listDeclared(rule: ReadRule, scope: HostScope): readonly OperationDeclaration[] {
  return rule.adapters.flatMap((name) => {
    const found = scope.adapters.get(name)?.operations.get(rule.operation);
    return found === undefined ? [] : [found.declaration];
  });
}
