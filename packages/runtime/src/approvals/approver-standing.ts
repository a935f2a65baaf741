import { proofLifetimeS, type Approver, type RefusalReason } from "@connectors/domain";

/** What an approver's row is asked about. */
export interface StandingQuestion {
  readonly issuer: string;
  readonly nbfMs: number;
  readonly nowMs: number;
}

/**
 * Why the key of this row does not count for a proof, or undefined when it does.
 *
 * A retired key verifies what it signed before, for as long as that could have been good, so that
 * a rotation refuses no honest approval. What it signed afterwards it had no right to sign.
 */
export function findKeyFault(
  approver: Approver | null,
  question: StandingQuestion,
): Extract<RefusalReason, "unknown_key" | "revoked_key"> | undefined {
  if (approver === null || approver.name !== question.issuer) return "unknown_key";
  if (approver.state === "active") return undefined;
  if (approver.state === "revoked") return "revoked_key";
  const signedBefore = question.nbfMs <= approver.changed_at_ms;
  const goodUntilMs = approver.changed_at_ms + proofLifetimeS * 1000;
  return signedBefore && question.nowMs < goodUntilMs ? undefined : "revoked_key";
}

/** True when the row lets its approver approve this operation of this adapter. */
export function isApproverFor(approver: Approver, operation: string, adapter: string): boolean {
  return covers(approver.operations, operation) && covers(approver.adapters, adapter);
}

function covers(list: readonly string[], name: string): boolean {
  return list.includes("*") || list.includes(name);
}
