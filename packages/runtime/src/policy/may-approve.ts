import type { Caller, Name } from "@connectors/domain";
import type { ReadRule } from "./policy-document.js";

/** The caller whose name an approver has, when both are one person. */
export function callerOfApprover(approver: Name): string {
  return `os:${approver}`;
}

/**
 * True when one of the rules that match a write names this approver, and lets the caller approve
 * where approver and caller are one.
 */
export function mayApprove(rules: readonly ReadRule[], approver: Name, caller: Caller): boolean {
  const self = callerOfApprover(approver) === caller;
  return rules.some(
    (rule) => rule.approvers.includes(approver) && (!self || rule.self_approval === "allowed"),
  );
}
