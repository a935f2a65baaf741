import type { Caller, Name } from "@connectors/domain";
import type { ReadRule } from "./policy-document.js";

/**
 * The name that a caller has as an approver: `os:Ada` is `ada`. A name of ours holds less than a
 * user's does, so several users may share one; then each of them counts as that approver.
 */
export function approverNameOf(caller: string): string {
  return caller
    .replace(/^os:/, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "-");
}

/**
 * True when one of the rules that match a write names this approver, and lets the caller approve
 * where approver and caller are one.
 */
export function mayApprove(rules: readonly ReadRule[], approver: Name, caller: Caller): boolean {
  const self = approver.toLowerCase() === approverNameOf(caller);
  return rules.some(
    (rule) => rule.approvers.includes(approver) && (!self || rule.self_approval === "allowed"),
  );
}
