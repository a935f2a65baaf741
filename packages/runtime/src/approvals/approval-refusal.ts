import type { RefusalReason } from "@connectors/domain";
import { makeFailure, type Failure } from "@connectors/sdk";

const sentences: Readonly<Record<RefusalReason, string>> = {
  expired: "The approval, or the time that the frozen write may wait, is over.",
  not_yet_valid: "The approval is not valid yet: the clocks of approver and host differ.",
  unknown_key: "No approver of this host has the key that signed.",
  revoked_key: "The key that signed was revoked, or retired too long ago.",
  wrong_audience: "The approval was signed for another host.",
  wrong_subject: "The approval was signed for other bytes.",
  policy_changed: "The policy changed since the write was frozen.",
  bad_signature: "The proof is not well formed, or its signature does not verify.",
  not_permitted: "Policy or the approvers' table does not let this approver approve this.",
  denied: "The approver said no.",
};

// Where preparing again is not the way on, what is.
const hints: Readonly<Partial<Record<RefusalReason, string>>> = {
  wrong_subject:
    "This proof belongs to another prepared file: remove it, and have this one approved.",
  denied: "Ask the approver why; the same prepared file can be approved until it expires.",
};

/** The failure of an approval that was refused for this reason. */
export function makeApprovalRefusal(reason: RefusalReason): Failure {
  const hint = hints[reason];
  const detail = hint === undefined ? { reason } : { reason, hint };
  return makeFailure("approval_refused", sentences[reason], detail);
}
