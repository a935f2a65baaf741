import { reviewAnswerBytesMax } from "@connectors/domain";
import { encodeCanonical, succeed, type Outcome } from "@connectors/sdk";
import type { ReviewRequest } from "./identity-review.js";
import { isOfKind, parseWireDocument, refuseAnswer } from "./wire-document.js";

/** What one request needs to be allowed; the empty string is the core group or no subresource. */
export interface AccessTarget {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * What a review says. `unclear` is everything but a plain yes or no: nothing said, both said, an
 * evaluation that failed, or an answer about something else.
 */
export type AccessVerdict = "allowed" | "denied" | "unclear";

const selfSubjectAccessReview = {
  apiVersion: "authorization.k8s.io/v1",
  kind: "SelfSubjectAccessReview",
};

/** The SelfSubjectAccessReview for exactly that request. */
export function makeAccessReview(target: AccessTarget): ReviewRequest {
  const review = {
    ...selfSubjectAccessReview,
    spec: { resourceAttributes: { ...target } },
  };
  return {
    path: "selfsubjectaccessreviews",
    body: new TextEncoder().encode(encodeCanonical(review)),
  };
}

/** The verdict of an answered review; `upstream_protocol` when it is no such review. */
export function parseAccessReview(bytes: Uint8Array, asked: AccessTarget): Outcome<AccessVerdict> {
  const parsed = parseWireDocument(bytes, reviewAnswerBytesMax);
  if (!parsed.ok) return parsed;
  const document = parsed.value;
  const status = document.object("status");
  const allowed = status.boolean("allowed");
  const denied = status.boolean("denied") ?? false;
  const failed = (status.text("evaluationError") ?? "") !== "";
  const attributes = document.object("spec").object("resourceAttributes");
  const echoed = accessMembers.every((name) => (attributes.text(name) ?? "") === asked[name]);
  if (!isOfKind(document, selfSubjectAccessReview) || !document.wellTyped()) {
    return refuseAnswer("the answer is not a SelfSubjectAccessReview");
  }
  if (allowed === null || failed || !echoed || (allowed && denied)) return succeed("unclear");
  return succeed(allowed ? "allowed" : "denied");
}

const accessMembers = [
  "verb",
  "group",
  "version",
  "resource",
  "subresource",
  "namespace",
  "name",
] as const;
