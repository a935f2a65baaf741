import type { AuditDraft, AuditKind, Caller } from "@connectors/domain";
import type { Clock } from "@connectors/sdk";
import { toTimeMs } from "../journal/measure.js";

/** What a draft says besides its kind. */
export type DraftFacts = Partial<Omit<AuditDraft, "kind" | "at_ms">>;

/** A draft of an audit record by this process, on behalf of its caller, now; null where silent. */
export function makeDraft(
  kind: AuditKind,
  by: { readonly owner: string; readonly caller: Caller; readonly clock: Clock },
  facts: DraftFacts = {},
): AuditDraft {
  return {
    kind,
    at_ms: toTimeMs(by.clock.nowMs()),
    owner: by.owner,
    caller: by.caller,
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
    ...facts,
  };
}
