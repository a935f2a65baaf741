import {
  clockBackstepMsMax,
  freezeValidMsDefault,
  freezeValidMsMax,
  type Audience,
  type Caller,
  type PreparedFile,
} from "@connectors/domain";
import { fail, succeed, type Clock, type Outcome } from "@connectors/sdk";
import type { InstalledAdapters } from "../adapters/installed-adapter.js";
import type { Journal } from "../journal/journal.js";
import { readCurrentPolicy, type CurrentPolicy } from "../policy/current-policy.js";
import { listMatchingRules, type PolicyRequest } from "../policy/explain-policy.js";
import { admitWrite, type AdmittedWrite, type WriteRequestFacts } from "./admit-write.js";
import { makeFrozen, type Frozen } from "./frozen-write.js";
import { describeProvider, makeSubject } from "./make-subject.js";
import { decodePrepared } from "./prepared-file.js";

/** A request for one exact effect. */
export interface FreezeRequest extends WriteRequestFacts {
  /** How long the frozen write may wait for its approver, in milliseconds. */
  readonly validMs?: number;
}

/** What freezing looks at. */
export interface FreezeScope {
  readonly adapters: InstalledAdapters;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly audience: Audience;
  readonly caller: Caller;
}

/**
 * Step 1: the request as bytes, its subject and its fingerprint.
 *
 * Checked in this order, before anything is asked of a provider: adapter, operation, revision, key,
 * input schema, the adapter's bounds, policy; then where the connection leads. The input is
 * serialised before the first await.
 */
export async function freezeWrite(
  request: FreezeRequest,
  scope: FreezeScope,
): Promise<Outcome<Frozen>> {
  const { validMs = freezeValidMsDefault } = request;
  const admitted = admitWrite(request, scope.adapters);
  if (!admitted.ok) return admitted;
  if (!Number.isSafeInteger(validMs) || validMs < 1 || validMs > freezeValidMsMax) {
    return fail("invalid_input", `A frozen write is valid for 1 to ${freezeValidMsMax} ms.`);
  }
  const allowed = await allowWrite(admitted.value, scope);
  if (!allowed.ok) return allowed;
  const provider = await describeProvider(admitted.value.adapter);
  if (!provider.ok) return provider;
  const subject = makeSubject({
    admitted: admitted.value,
    provider: provider.value,
    audience: scope.audience,
    caller: scope.caller,
    policy: allowed.value.reference,
    expiresAtMs: scope.clock.nowMs() + validMs,
  });
  if (!subject.ok) return subject;
  return succeed(makeFrozen(admitted.value, subject.value, askFor(admitted.value, scope)));
}

/**
 * The frozen write that a prepared file holds, frozen again here and compared.
 *
 * Kept as they were: policy revision, cluster, user and limit. What has become of those is found
 * out later, where each has its own answer, so that a known key still answers.
 */
export async function openPrepared(
  bytes: Uint8Array,
  scope: FreezeScope,
): Promise<Outcome<Frozen>> {
  const file = decodePrepared(bytes);
  if (!file.ok) return file;
  const admitted = readmit(file.value, scope);
  if (!admitted.ok) return admitted;
  const allowed = await allowWrite(admitted.value, scope);
  if (!allowed.ok) return allowed;
  const { subject } = file.value;
  const again = makeSubject({
    admitted: admitted.value,
    provider: subject.target.provider,
    audience: scope.audience,
    caller: scope.caller,
    policy: subject.authority.policy,
    expiresAtMs: subject.expires_at_ms,
  });
  if (!again.ok) return again;
  const frozen = makeFrozen(admitted.value, again.value, askFor(admitted.value, scope));
  // Whatever is not compared by name above is compared here, as bytes.
  return Buffer.compare(frozen.preparedBytes, bytes) === 0
    ? succeed(frozen)
    : fail("invalid_input", "The prepared file describes this write otherwise than this host.");
}

function readmit(file: PreparedFile, scope: FreezeScope): Outcome<AdmittedWrite> {
  const { subject, input, key } = file;
  const { target } = subject;
  if (subject.audience !== scope.audience) {
    return fail("invalid_input", "The prepared file was made for another host.");
  }
  if (subject.authority.caller !== scope.caller) {
    return fail("forbidden", "The prepared file was made for another caller.");
  }
  // No freeze of ours waits longer; both clocks are this host's, which may be set back a little.
  const lastMs = scope.clock.nowMs() + freezeValidMsMax + clockBackstepMsMax;
  if (subject.expires_at_ms > lastMs) {
    return fail("invalid_input", "The prepared file is good for longer than a freeze can be.");
  }
  if (typeof input !== "object" || input === null || isList(input)) {
    return fail("invalid_input", "The prepared file's input is not an object.");
  }
  const admitted = admitWrite(
    {
      adapter: target.instance,
      operation: target.operation,
      revision: target.descriptor_revision,
      input,
      key,
    },
    scope.adapters,
  );
  if (!admitted.ok) return admitted;
  return admitted.value.adapter.configurationRevision === target.configuration_revision
    ? admitted
    : fail("stale_description", "The adapter's configuration is another one by now.");
}

function isList(value: PreparedFile["input"]): value is readonly PreparedFile["input"][] {
  return Array.isArray(value);
}

function askFor({ adapter, operation, checked }: AdmittedWrite, scope: FreezeScope): PolicyRequest {
  const { namespace, name, command } = checked;
  return {
    caller: scope.caller,
    adapter: adapter.name,
    operation: operation.declaration.id,
    facts: { namespace, name, command },
  };
}

async function allowWrite(
  admitted: AdmittedWrite,
  scope: FreezeScope,
): Promise<Outcome<CurrentPolicy>> {
  const current = await readCurrentPolicy(scope.journal);
  if (!current.ok) return current;
  const asked = askFor(admitted, scope);
  if (current.value === null || listMatchingRules(current.value.policy, asked).length === 0) {
    return fail("forbidden", "No rule of the policy allows this write.", {
      hint: "`connectors policy show` prints its rules; `connectors adapters add … --allow OPERATION` adds one.",
    });
  }
  return succeed(current.value);
}
