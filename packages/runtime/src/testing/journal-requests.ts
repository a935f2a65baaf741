import type {
  Approver,
  Attempt,
  JournalRequestAbandon,
  JournalRequestAbort,
  JournalRequestAnchor,
  JournalRequestAnnotate,
  JournalRequestBegin,
  JournalRequestGate,
  JournalRequestOpenOwner,
  JournalRequestPutApprover,
  JournalRequestPutPolicy,
  JournalRequestRecover,
  JournalRequestRefusal,
  JournalRequestReleaseOwner,
  JournalRequestSettle,
  KeptOutcome,
  Observation,
  StoredPolicy,
} from "@connectors/domain";
import { toCounter } from "../journal/measure.js";
import {
  fixtureFingerprint,
  fixtureNonce,
  fixtureTime,
  makeFixtureAttempt,
  makeFixtureDraft,
  makeFixtureOwner,
  makeFixturePolicy,
  makeFixtureProof,
  nameFixturePolicy,
} from "./journal-fixtures.js";

// Requests as a correct host sends them; a case changes the one member that it is about.

/** The n-th process registers. */
export function openOwnerRequest(n: number, offsetMs = 0): JournalRequestOpenOwner {
  const owner = makeFixtureOwner(n, offsetMs);
  return { kind: "open_owner", owner, draft: makeFixtureDraft("owner", owner.nonce) };
}

/** The n-th process ends in order. */
export function releaseOwnerRequest(n: number, offsetMs = 0): JournalRequestReleaseOwner {
  const nonce = fixtureNonce(n);
  return {
    kind: "release_owner",
    nonce,
    now_ms: fixtureTime(offsetMs),
    draft: makeFixtureDraft("owner", nonce),
  };
}

/** A write of the n-th process anchors. */
export function anchorRequest(n: number, offsetMs = 0): JournalRequestAnchor {
  const at = { at_ms: fixtureTime(offsetMs) };
  return { kind: "anchor", draft: makeFixtureDraft("anchor", fixtureNonce(n), at) };
}

/** A write of the n-th process was refused before it anchored. */
export function refusalRequest(n: number): JournalRequestRefusal {
  const change = { reason: "denied", count: toCounter(3) } as const;
  return { kind: "refusal", draft: makeFixtureDraft("refusal", fixtureNonce(n), change) };
}

/** A write of the n-th process ended after its anchor. */
export function abandonRequest(n: number): JournalRequestAbandon {
  return { kind: "abandon", draft: makeFixtureDraft("abandoned", fixtureNonce(n)) };
}

/** The attempt's own number is its proof's number too. */
export function beginRequest(
  n: number,
  change: Partial<JournalRequestBegin> & { readonly of?: Partial<Attempt> } = {},
): JournalRequestBegin {
  const { of, ...members } = change;
  const attempt = makeFixtureAttempt(n, of);
  return {
    kind: "begin",
    attempt,
    fingerprint: fixtureFingerprint("one"),
    proof: makeFixtureProof(n),
    policy: nameFixturePolicy(makeFixturePolicy(1)),
    now_ms: fixtureTime(),
    draft: makeFixtureDraft("decision", attempt.owner),
    ...members,
  };
}

/** The gate of what `beginRequest(n)` began. */
export function gateRequest(
  n: number,
  change: Partial<JournalRequestGate> = {},
): JournalRequestGate {
  const { id, owner } = makeFixtureAttempt(n);
  return {
    kind: "gate",
    attempt: id,
    owner,
    proof: makeFixtureProof(n),
    policy: nameFixturePolicy(makeFixturePolicy(1)),
    now_ms: fixtureTime(),
    draft: makeFixtureDraft("dispatch", change.owner ?? owner),
    ...change,
  };
}

/** The settlement of what `gateRequest(n)` opened. */
export function settleRequest(
  n: number,
  outcome: KeptOutcome,
  change: Partial<JournalRequestSettle> = {},
): JournalRequestSettle {
  const { id, owner } = makeFixtureAttempt(n);
  return {
    kind: "settle",
    attempt: id,
    owner,
    outcome,
    now_ms: fixtureTime(),
    draft: makeFixtureDraft("outcome", change.owner ?? owner),
    ...change,
  };
}

/** The abort of what `beginRequest(n)` began. */
export function abortRequest(
  n: number,
  outcome: KeptOutcome,
  change: Partial<JournalRequestAbort> = {},
): JournalRequestAbort {
  const { id, owner } = makeFixtureAttempt(n);
  return {
    kind: "abort",
    attempt: id,
    owner,
    outcome,
    now_ms: fixtureTime(),
    draft: makeFixtureDraft("abandoned", change.owner ?? owner),
    ...change,
  };
}

/** The process `by`, which holds the lock of `dead`, closes what that left open. */
export function recoverRequest(dead: number, by: number, offsetMs = 0): JournalRequestRecover {
  return {
    kind: "recover",
    dead: fixtureNonce(dead),
    by: fixtureNonce(by),
    now_ms: fixtureTime(offsetMs),
    draft: makeFixtureDraft("recovery", fixtureNonce(by)),
  };
}

/** Ada attaches evidence to the n-th attempt. */
export function annotateRequest(n: number, text: string): JournalRequestAnnotate {
  const { id, owner, caller } = makeFixtureAttempt(n);
  const observation: Observation = {
    attempt: id,
    ordinal: toCounter(0),
    at_ms: fixtureTime(),
    by: caller,
    text,
  };
  return { kind: "annotate", observation, draft: makeFixtureDraft("annotation", owner) };
}

/** The first process replaces the policy before this one. */
export function putPolicyRequest(policy: StoredPolicy): JournalRequestPutPolicy {
  const expected = policy.revision === 1 ? null : makeFixturePolicy(policy.revision - 1).revision;
  return {
    kind: "put_policy",
    expected,
    policy,
    draft: makeFixtureDraft("policy", fixtureNonce(1)),
  };
}

/** The first process puts an approver's key. */
export function putApproverRequest(approver: Approver): JournalRequestPutApprover {
  return {
    kind: "put_approver",
    approver,
    draft: makeFixtureDraft("approver", fixtureNonce(1)),
  };
}
