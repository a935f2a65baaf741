import {
  encodeCanonicalProvider,
  parseProvider,
  parseSubject,
  type Audience,
  type Caller,
  type PolicyReference,
  type Provider,
  type Subject,
} from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { InstalledAdapter } from "../adapters/installed-adapter.js";
import { digestOf } from "../journal/measure.js";
import type { AdmittedWrite } from "./admit-write.js";

/**
 * Which cluster the adapter's connection leads to, by its files, and who we were there when last
 * asked. No request.
 */
export async function describeProvider(adapter: InstalledAdapter): Promise<Outcome<Provider>> {
  if (adapter.probed === null) {
    return fail("unavailable", "This adapter's provider was never asked who we are there.", {
      hint: `Ask it: \`connectors adapters check ${adapter.name}\`.`,
    });
  }
  const described = await adapter.connection.describe();
  if (!described.ok) return described;
  const { username } = adapter.probed.provider;
  const provider = parseProvider({ ...described.value, username });
  return provider.ok ? provider : fail("internal", "A connection's description is not one.");
}

/** The subject of an admitted write: every coordinate of the effect, with explicit nulls. */
export function makeSubject(facts: {
  readonly admitted: AdmittedWrite;
  readonly provider: Provider;
  readonly audience: Audience;
  readonly caller: Caller;
  readonly policy: PolicyReference;
  readonly expiresAtMs: number;
}): Outcome<Subject> {
  const { admitted, provider, policy } = facts;
  const { adapter, operation, inputText, key } = admitted;
  const subject = parseSubject({
    format: "connectors.approval-subject/1",
    audience: facts.audience,
    target: {
      instance: adapter.name,
      adapter: adapter.kind,
      operation: operation.declaration.id,
      connection: adapter.name,
      connection_revision: digestOf(encodeCanonicalProvider(provider)),
      provider,
      contract: operation.declaration.contract,
      profile: operation.declaration.profile,
      descriptor_revision: operation.revision,
      configuration_revision: adapter.configurationRevision,
    },
    // Attended mode: nobody but the process's own user asks, directly.
    authority: { tenant: null, realm: null, caller: facts.caller, executor: null, policy },
    origin: "direct",
    route: null,
    canonicalization: "connectors-jcs/1",
    input_sha256: digestOf(inputText),
    key_sha256: key === null ? null : digestOf(key),
    expires_at_ms: facts.expiresAtMs,
  });
  // Each member was parsed before; only their sum can still be too large.
  return subject.ok
    ? succeed(subject.value)
    : fail("capacity", "The subject of this write is larger than one may be.");
}
