import {
  encodeCanonicalPolicyDocument,
  parseApprover,
  parseAttempt,
  parseAuditDraft,
  parseFingerprint,
  parseKeptOutcome,
  parseKeyNamespace,
  parseKid,
  parseName,
  parseOwner,
  parsePolicyDocument,
  parseProofFacts,
  parseStoredPolicy,
  proofBackdateS,
  proofLifetimeS,
  type Approver,
  type Attempt,
  type AttemptId,
  type AuditDraft,
  type AuditKind,
  type Fingerprint,
  type KeptOutcome,
  type KeyNamespace,
  type Kid,
  type Name,
  type Owner,
  type Parsed,
  type PolicyReference,
  type ProofFacts,
  type StoredPolicy,
  type TimeMs,
} from "@connectors/domain";
import { encodeCanonical, invariant, makeFailure, sha256Hex } from "@connectors/sdk";
import { toTimeMs } from "../journal/measure.js";

// Rows and facts of one imagined host: ada asks, bob approves, a Deployment is restarted.

/** 2026-01-01T00:00:00Z plus `offsetMs`. */
export function fixtureTime(offsetMs = 0): TimeMs {
  return toTimeMs(1_767_225_600_000 + offsetMs);
}

/** The nonce of the n-th process. */
export function fixtureNonce(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

/** The n-th attempt's id; ids sort as their numbers do. */
export function fixtureAttemptId(n: number): AttemptId {
  return makeFixtureAttempt(n).id;
}

/** A key namespace of ada's that ends in `key`. */
export function fixtureKey(key: string): KeyNamespace {
  const parts = ["mutation-key/1", "prod", null, null, "os:ada", null, "direct", "direct", key];
  return trust(parseKeyNamespace(encodeCanonical(parts)));
}

/** The fingerprint of a request that differs from others by `variant` alone. */
export function fixtureFingerprint(variant: string): Fingerprint {
  return trust(parseFingerprint(encodeCanonical(["mutation-request/2", variant])));
}

/** The n-th key's thumbprint; bob signs with the one numbered 0. */
export function fixtureKid(n: number): Kid {
  return trust(parseKid(n.toString(16).padStart(43, "K")));
}

/** The text as a name. */
export function fixtureName(text: string): Name {
  return trust(parseName(text));
}

/** The n-th process's row. */
export function makeFixtureOwner(n: number, offsetMs = 0): Owner {
  return trust(
    parseOwner({
      nonce: fixtureNonce(n),
      state: "live",
      pid: 1000 + n,
      opened_at_ms: fixtureTime(offsetMs),
      closed_at_ms: null,
    }),
  );
}

/** A record before it has a place, written by the process `owner`. */
export function makeFixtureDraft(
  kind: AuditKind,
  owner: string,
  change: Partial<AuditDraft> = {},
): AuditDraft {
  const draft = parseAuditDraft({
    kind,
    at_ms: fixtureTime(),
    owner,
    caller: "os:ada",
    instance: null,
    operation: null,
    attempt: null,
    anchor: null,
    subject_sha256: null,
    approver: null,
    kid: null,
    reference: null,
    policy_revision: null,
    classification: null,
    code: null,
    stage: null,
    reason: null,
    count: null,
    http_status: null,
    resource_version: null,
    detail_sha256: null,
  });
  return { ...trust(draft), ...change };
}

/** The policy's n-th revision; each has other rules, so each has another digest. */
export function makeFixturePolicy(revision: number): StoredPolicy {
  const rule = {
    callers: ["os:ada"],
    adapters: ["prod"],
    operation: "deployment.rollout_restart",
    namespaces: [`web-${revision}`],
    names: ["*"],
    approvers: ["bob"],
    self_approval: "forbidden",
  };
  const document = trust(
    parsePolicyDocument({ format: "connectors.policy/1", id: "local", rules: [rule] }),
  );
  const sha256 = sha256Hex(encodeCanonicalPolicyDocument(document));
  return trust(parseStoredPolicy({ revision, sha256, document, at_ms: fixtureTime() }));
}

/** How a subject names that policy. */
export function nameFixturePolicy(policy: StoredPolicy): PolicyReference {
  return { id: policy.document.id, revision: policy.revision, sha256: policy.sha256 };
}

/** Bob's key, active, good for everything. */
export function makeFixtureApprover(change: Partial<Approver> = {}): Approver {
  const approver = parseApprover({
    name: "bob",
    kid: fixtureKid(0),
    public_key: "P".repeat(43),
    operations: ["*"],
    adapters: ["*"],
    state: "active",
    created_at_ms: fixtureTime(),
    changed_at_ms: fixtureTime(),
  });
  return { ...trust(approver), ...change };
}

/** What the n-th of bob's proofs says of itself, signed `offsetMs` after the start. */
export function makeFixtureProof(n: number, offsetMs = 0): ProofFacts {
  const iatMs = fixtureTime(offsetMs);
  return trust(
    parseProofFacts({
      issuer: "bob",
      kid: fixtureKid(0),
      reference: n.toString(16).padStart(43, "0"),
      nbf_ms: iatMs - proofBackdateS * 1000,
      exp_ms: iatMs + proofLifetimeS * 1000,
    }),
  );
}

/** The n-th attempt as its process asks for it. */
export function makeFixtureAttempt(n: number, change: Partial<Attempt> = {}): Attempt {
  const attempt = parseAttempt({
    id: `01900000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`,
    state: "Prepared",
    owner: fixtureNonce(1),
    instance: "prod",
    operation: "deployment.rollout_restart",
    caller: "os:ada",
    key_namespace: null,
    subject_sha256: sha256Hex(`subject ${n}`),
    input_sha256: sha256Hex(`input ${n}`),
    connection_revision: sha256Hex("connection"),
    configuration_revision: sha256Hex("configuration"),
    approver: null,
    reference: null,
    separation: "none",
    policy_revision: 1,
    anchor: 1,
    expires_at_ms: fixtureTime(600_000),
    created_at_ms: fixtureTime(),
    dispatched_at_ms: null,
    settled_at_ms: null,
    outcome: null,
    audit: { sequence: 0, sha256: "0".repeat(64) },
  });
  return { ...trust(attempt), ...change };
}

/** A settlement of this classification, as an adapter's answer would make it. */
export function makeFixtureOutcome(
  classification: KeptOutcome["classification"],
  change: Partial<KeptOutcome> = {},
): KeptOutcome {
  const outcome = parseKeptOutcome({ ...outcomeParts[classification], classification });
  return { ...trust(outcome), ...change };
}

const noResult = { result: null, summary: null, http_status: null, resource_version: null };

const outcomeParts = {
  applied: { ...noResult, failure: null, cause: null, http_status: 200, resource_version: "42" },
  refused: {
    ...noResult,
    failure: makeFailure("stale_description", "It changed since.", { retry: "new_key" }),
    cause: { code: "stale_description", stage: "response" },
    http_status: 409,
  },
  unknown: {
    ...noResult,
    failure: makeFailure("outcome_unknown", "The answer was lost."),
    cause: { code: "unavailable", stage: "dispatch" },
  },
  not_attempted: {
    ...noResult,
    failure: makeFailure("timeout", "Too little time was left.", { retry: "new_key" }),
    cause: { code: "timeout", stage: "attempt_store" },
  },
} as const;

function trust<T>(parsed: Parsed<T>): T {
  const issues = parsed.ok ? "" : parsed.issues.map((at) => `${at.path} ${at.rule}`).join(", ");
  invariant(parsed.ok, `a fixture fits its model: ${issues}`);
  return parsed.value;
}
