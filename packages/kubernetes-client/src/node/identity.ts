import {
  fail,
  succeed,
  type AuthenticatedCheck,
  type HttpAnswer,
  type Outcome,
} from "@connectors/sdk";
import {
  isAnonymous,
  makeIdentityReview,
  parseIdentityReview,
} from "../request/identity-review.js";
import { parseStatus } from "../request/status.js";

const anonymousHint =
  "The cluster sees no credential: check the context's user, and what stands between.";

/**
 * The username that one SelfSubjectReview named. `unauthorized` for a 401 and for anonymous,
 * `forbidden` for a 403, `rate_limited`, `unavailable` for a 5xx, else `upstream_protocol`.
 */
export async function reviewIdentity(
  check: AuthenticatedCheck,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const answer = await check.check(makeIdentityReview().body, { signal });
  if (!answer.ok) return answer;
  const { status, body } = answer.value;
  if (status !== 200 && status !== 201) return refuseReview(answer.value);
  const user = parseIdentityReview(body);
  if (!user.ok) return user;
  if (isAnonymous(user.value)) {
    return fail("unauthorized", "the API server sees an anonymous user", { hint: anonymousHint });
  }
  return succeed(user.value.username);
}

function refuseReview({ status, body }: HttpAnswer): Outcome<never> {
  if (status === 401) return fail("unauthorized", "the API server does not accept the credential");
  if (status === 403) {
    return isAboutAnonymous(body)
      ? fail("unauthorized", "the API server sees an anonymous user", { hint: anonymousHint })
      : fail("forbidden", "this user may not ask who it is", {
          hint: "RBAC must allow create on selfsubjectreviews (the role system:basic-user does).",
        });
  }
  if (status === 429) return fail("rate_limited", "the API server takes no more requests now");
  if (status >= 500) return fail("unavailable", `the API server answered ${status}`);
  return fail("upstream_protocol", `the API server answered ${status} to a SelfSubjectReview`, {
    hint: "SelfSubjectReview needs Kubernetes v1.28 or newer; a proxy may stand between.",
  });
}

/** A user without a credential may not even ask who it is; the message alone tells it apart. */
function isAboutAnonymous(body: Uint8Array): boolean {
  const status = parseStatus(body);
  return status.ok && (status.value.message ?? "").includes('User "system:anonymous"');
}
