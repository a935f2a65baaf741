import { verify } from "node:crypto";
import {
  encodeCanonicalSubject,
  parseTimeMs,
  type Approver,
  type Audience,
  type PolicyReference,
  type ProofFacts,
  type RefusalReason,
  type Subject,
} from "@connectors/domain";
import { failWith, succeed, type Outcome } from "@connectors/sdk";
import { trusted } from "../identity/trusted.js";
import { mayApprove } from "../policy/may-approve.js";
import type { ReadRule } from "../policy/policy-document.js";
import { makeApprovalRefusal } from "./approval-refusal.js";
import { findKeyFault, isApproverFor } from "./approver-standing.js";
import { decodeProof, type DecodedProof } from "./proof-jws.js";
import { readPublicKey } from "./signing-key.js";

/** What a proof is held against: this host's own tables, never the token's word. */
export interface ProofQuestion {
  readonly subject: Subject;
  readonly audience: Audience;
  readonly approvers: readonly Approver[];
  /** The policy as it is now, and its rules that match this write; null when there is none. */
  readonly policy: PolicyReference | null;
  readonly rules: readonly ReadRule[];
  readonly nowMs: number;
}

/**
 * The facts of a proof that approves exactly this subject, here and now; begin and gate check
 * them again inside their transactions.
 *
 * Refused with `approval_refused` and the first reason that holds, in this order: form, key,
 * signature, audience, policy, subject, time.
 */
export function verifyProof(jws: string, question: ProofQuestion): Outcome<ProofFacts> {
  const proof = decodeProof(jws);
  if (proof === undefined) return refuse("bad_signature");
  const reason =
    findSignerFault(proof, question) ??
    findScopeFault(proof, question) ??
    findTimeFault(proof, question);
  if (reason !== undefined) return refuse(reason);
  const { claims, kid } = proof;
  return succeed({
    issuer: claims.iss,
    kid,
    reference: claims.reference,
    nbf_ms: trusted(parseTimeMs(claims.nbf * 1000), "a proof's window has times"),
    exp_ms: trusted(parseTimeMs(claims.exp * 1000), "a proof's window has times"),
  });
}

function refuse(reason: RefusalReason): Outcome<never> {
  return failWith(makeApprovalRefusal(reason));
}

function approverOf(proof: DecodedProof, question: ProofQuestion): Approver | null {
  return question.approvers.find((approver) => approver.kid === proof.kid) ?? null;
}

function findSignerFault(proof: DecodedProof, question: ProofQuestion): RefusalReason | undefined {
  const { claims } = proof;
  const approver = approverOf(proof, question);
  const key = approver === null ? undefined : readPublicKey(approver.public_key);
  if (key === undefined) return "unknown_key";
  const standing = { issuer: claims.iss, nbfMs: claims.nbf * 1000, nowMs: question.nowMs };
  const fault = findKeyFault(approver, standing);
  if (fault !== undefined) return fault;
  return verify(null, proof.signed, key, proof.signature) ? undefined : "bad_signature";
}

function findScopeFault(proof: DecodedProof, question: ProofQuestion): RefusalReason | undefined {
  const { subject, audience, rules } = question;
  if (proof.claims.aud !== audience) return "wrong_audience";
  if (!isSamePolicy(subject.authority.policy, question.policy)) return "policy_changed";
  const approver = approverOf(proof, question);
  const { operation, instance } = subject.target;
  if (approver === null || !isApproverFor(approver, operation, instance)) return "not_permitted";
  if (!mayApprove(rules, approver.name, subject.authority.caller)) return "not_permitted";
  const same = encodeCanonicalSubject(proof.claims.subject) === encodeCanonicalSubject(subject);
  return same ? undefined : "wrong_subject";
}

function isSamePolicy(named: PolicyReference, current: PolicyReference | null): boolean {
  return (
    current !== null &&
    current.id === named.id &&
    current.revision === named.revision &&
    current.sha256 === named.sha256
  );
}

function findTimeFault(proof: DecodedProof, question: ProofQuestion): RefusalReason | undefined {
  const { nowMs, subject } = question;
  if (nowMs < proof.claims.nbf * 1000) return "not_yet_valid";
  if (nowMs >= proof.claims.exp * 1000 || nowMs >= subject.expires_at_ms) return "expired";
  return undefined;
}
