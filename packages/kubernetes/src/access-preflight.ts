import {
  makeAccessReview,
  parseAccessReview,
  type AccessTarget,
} from "@connectors/kubernetes-client/request";
import {
  fail,
  succeed,
  unreachable,
  type AuthenticatedCheck,
  type Outcome,
  type ReviewPath,
} from "@connectors/sdk";
import { refuseAnswer } from "./answer-refusal.js";

/**
 * Succeeds when one SelfSubjectAccessReview, asked now, plainly allows the request. `forbidden`
 * names the missing verb; whatever is not a plain yes or no is `unavailable`.
 */
export async function reviewAccess(
  target: AccessTarget,
  capabilities: {
    readonly check: (path: ReviewPath) => AuthenticatedCheck;
    readonly signal: AbortSignal;
  },
): Promise<Outcome<"allowed">> {
  const { path, body } = makeAccessReview(target);
  const answer = await capabilities.check(path).check(body, { signal: capabilities.signal });
  if (!answer.ok) return answer;
  const { status } = answer.value;
  if (status !== 200 && status !== 201) {
    return refuseAnswer(status, {
      act: "review access",
      permission: "create on selfsubjectaccessreviews (the role system:basic-user does)",
    });
  }
  const verdict = parseAccessReview(answer.value.body, target);
  if (!verdict.ok) return verdict;
  switch (verdict.value) {
    case "allowed":
      return succeed("allowed");
    case "denied":
      return fail("forbidden", "the cluster's own review says that this user may not do it", {
        hint: `RBAC must allow ${describeAccess(target)}.`,
      });
    case "unclear":
      return fail("unavailable", "the cluster's access review gave no plain answer");
    default:
      return unreachable(verdict.value);
  }
}

function describeAccess({ verb, resource, group, subresource, namespace }: AccessTarget): string {
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return `${verb} on ${group === "" ? whole : `${whole}.${group}`} in namespace ${namespace}`;
}
