import type { Attempt, AuditDraft, KeptOutcome } from "@connectors/domain";

type AttemptFacts = Pick<
  AuditDraft,
  | "owner"
  | "caller"
  | "instance"
  | "operation"
  | "attempt"
  | "anchor"
  | "subject_sha256"
  | "approver"
  | "reference"
  | "policy_revision"
>;

/** What every record about an attempt says of it, taken from its row and not from a draft. */
export function describeAttempt(attempt: Attempt): AttemptFacts {
  return {
    owner: attempt.owner,
    caller: attempt.caller,
    instance: attempt.instance,
    operation: attempt.operation,
    attempt: attempt.id,
    anchor: attempt.anchor,
    subject_sha256: attempt.subject_sha256,
    approver: attempt.approver,
    reference: attempt.reference,
    policy_revision: attempt.policy_revision,
  };
}

type OutcomeFacts = Pick<
  AuditDraft,
  "classification" | "code" | "stage" | "http_status" | "resource_version"
>;

/** What a record says of how an attempt ended: codes and the provider's correlation, no text. */
export function describeOutcome(outcome: KeptOutcome): OutcomeFacts {
  return {
    classification: outcome.classification,
    code: outcome.cause?.code ?? outcome.failure?.code ?? null,
    stage: outcome.cause?.stage ?? null,
    http_status: outcome.http_status,
    resource_version: outcome.resource_version,
  };
}
