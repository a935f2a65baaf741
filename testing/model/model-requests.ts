import type { AttemptId, KeptOutcome, KeyNamespace, ProofFacts } from "@connectors/domain";
import {
  abortRequest,
  anchorRequest,
  beginRequest,
  fixtureAttemptId,
  fixtureFingerprint,
  fixtureKey,
  fixtureNonce,
  fixtureTime,
  gateRequest,
  makeFixtureProof,
  settleRequest,
} from "@connectors/runtime/testing";
import type { NamedRequest } from "./ledger.js";
import type { WriteSpec } from "./scenario.js";

/** A day: as long as a key's retention. */
export const dayMs = 86_400_000;

const ids = [1, 2, 3].map(fixtureAttemptId);
const proofs = new Map<string, ProofFacts>();
const namespaces = new Map<string, KeyNamespace>();

/** The id that the caller numbered `at` would give its attempt. */
export function attemptIdOf(at: number): AttemptId {
  return ids[at] ?? fixtureAttemptId(at + 1);
}

/** What the caller's proof says of itself. */
export function proofOf({ proof, day }: WriteSpec): ProofFacts {
  return remember(proofs, `${proof} ${day}`, () => makeFixtureProof(proof, day * dayMs));
}

/** The namespace of a caller's key, or null. */
export function namespaceOf({ key }: WriteSpec): KeyNamespace | null {
  return key === null ? null : remember(namespaces, key, () => fixtureKey(key));
}

/** The anchor of a write of this process. */
export function anchorOf({ process }: WriteSpec, day: number): NamedRequest {
  return { name: `anchor ${process} ${day}`, make: () => anchorRequest(process, day * dayMs) };
}

/** The caller's begin. */
export function beginOf(at: number, spec: WriteSpec, day: number): NamedRequest {
  const make = (): ReturnType<typeof beginRequest> =>
    beginRequest(at + 1, {
      of: {
        owner: fixtureNonce(spec.process),
        key_namespace: namespaceOf(spec),
        expires_at_ms: fixtureTime(spec.day * dayMs + 600_000),
      },
      fingerprint: fixtureFingerprint(spec.request),
      proof: proofOf(spec),
      now_ms: fixtureTime(day * dayMs),
    });
  return { name: `begin ${at} ${day}`, make };
}

/** The gate of the caller's attempt. */
export function gateOf(at: number, spec: WriteSpec, day: number): NamedRequest {
  const make = (): ReturnType<typeof gateRequest> =>
    gateRequest(at + 1, {
      owner: fixtureNonce(spec.process),
      proof: proofOf(spec),
      now_ms: fixtureTime(day * dayMs),
    });
  return { name: `gate ${at} ${day}`, make };
}

/** The end of the caller's attempt, sent or not. */
export function endOf(
  kind: "abort" | "settle",
  at: number,
  spec: WriteSpec,
  outcome: KeptOutcome,
  day: number,
): NamedRequest {
  const make = (): ReturnType<typeof abortRequest> | ReturnType<typeof settleRequest> => {
    const change = { owner: fixtureNonce(spec.process), now_ms: fixtureTime(day * dayMs) };
    return kind === "abort"
      ? abortRequest(at + 1, outcome, change)
      : settleRequest(at + 1, outcome, change);
  };
  return { name: `${kind} ${at} ${outcome.classification} ${day}`, make };
}

function remember<V>(known: Map<string, V>, id: string, make: () => V): V {
  const there = known.get(id);
  if (there !== undefined) return there;
  const value = make();
  known.set(id, value);
  return value;
}
