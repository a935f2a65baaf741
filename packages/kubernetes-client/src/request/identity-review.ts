import { reviewAnswerBytesMax } from "@connectors/domain";
import { encodeCanonical, succeed, type Outcome, type ReviewPath } from "@connectors/sdk";
import { isOfKind, parseWireDocument, refuseAnswer } from "./wire-document.js";

/** A review as it is posted. */
export interface ReviewRequest {
  readonly path: ReviewPath;
  readonly body: Uint8Array;
}

/** Who the server says we are. */
export interface ReviewedUser {
  readonly username: string;
  readonly groups: readonly string[];
}

const selfSubjectReview = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

/** The SelfSubjectReview that asks who this credential is. */
export function makeIdentityReview(): ReviewRequest {
  return {
    path: "selfsubjectreviews",
    body: new TextEncoder().encode(encodeCanonical(selfSubjectReview)),
  };
}

/** The user that a SelfSubjectReview named; `upstream_protocol` when it names none. */
export function parseIdentityReview(bytes: Uint8Array): Outcome<ReviewedUser> {
  const parsed = parseWireDocument(bytes, reviewAnswerBytesMax);
  if (!parsed.ok) return parsed;
  const document = parsed.value;
  const user = document.object("status").object("userInfo");
  const username = user.text("username");
  const groups = user.texts("groups");
  if (!isOfKind(document, selfSubjectReview) || !document.wellTyped()) {
    return refuseAnswer("the answer is not a SelfSubjectReview");
  }
  return username === null || username === ""
    ? refuseAnswer("the SelfSubjectReview names no user")
    : succeed({ username, groups });
}

/** True for whoever gave no credential, or one that was not looked at. */
export function isAnonymous({ username, groups }: ReviewedUser): boolean {
  // Each alone is enough: a cluster may give anonymous requests another name.
  return username === "system:anonymous" || groups.includes("system:unauthenticated");
}
