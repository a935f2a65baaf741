import type { Authorizer, Identity } from "../access/authorizer.js";
import type { ReviewKind } from "../api/resource-kind.js";
import { answerJson, answerStatus, type BodyAnswer } from "../http/answer.js";
import { isJsonObject, objectAt, stringAt, withMember, type JsonObject } from "../json-value.js";
import { decodeBody } from "../objects/decode-body.js";
import type { World } from "../objects/world.js";
import { invalidObject, unsupportedBody } from "../refusals.js";
import { invalid } from "../rules/field-error.js";
import { formatTimestamp } from "../rules/timestamps.js";

/** A POST of a review. */
export interface ReviewRequest {
  readonly kind: ReviewKind;
  readonly body: string;
  readonly contentType: string;
  readonly identity: Identity;
}

/** Answers a review of the one who asks. */
export function reviewVerb(
  world: World,
  authorizer: Authorizer,
  request: ReviewRequest,
): BodyAnswer {
  if (request.contentType !== "application/json" && request.contentType !== "") {
    return answerStatus(unsupportedBody());
  }
  const body = decodeBody(world.schemas, request.kind, request.body, "Warn");
  if (!body.ok) return answerStatus(body.status);
  switch (request.kind.kind) {
    case "SelfSubjectReview":
      return answerJson(makeSubjectReview(world, request), 201);
    case "SelfSubjectAccessReview":
      return answerAccessReview(authorizer, request, body.value.object);
  }
}

function makeSubjectReview(world: World, { kind, identity }: ReviewRequest): JsonObject {
  const { name, uid, groups, extra } = identity;
  return {
    kind: kind.kind,
    apiVersion: `${kind.group}/${kind.version}`,
    metadata: { creationTimestamp: formatTimestamp(world.surroundings.clock.nowMs()) },
    status: {
      userInfo: {
        username: name,
        ...(uid === undefined ? {} : { uid }),
        groups,
        ...(extra === undefined ? {} : { extra }),
      },
    },
  };
}

function answerAccessReview(
  authorizer: Authorizer,
  { kind, identity }: ReviewRequest,
  body: JsonObject,
): BodyAnswer {
  const spec = objectAt(body, "spec");
  const resource = spec["resourceAttributes"];
  const path = spec["nonResourceAttributes"];
  const unnamed = { group: kind.group, kind: "" };
  if (isJsonObject(resource) === isJsonObject(path)) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    const error = invalid("spec.resourceAttributes", resource ?? null, why);
    return answerStatus(invalidObject(unnamed, "", [error]));
  }
  const metadata = objectAt(body, "metadata");
  if (Object.keys(withMember(metadata, "managedFields", undefined)).length > 0) {
    const error = invalid("metadata", metadata, "must be empty");
    return answerStatus(invalidObject(unnamed, "", [error]));
  }
  const allowed = isJsonObject(resource)
    ? authorizer.allowsResource(identity, {
        verb: stringAt(resource, "verb"),
        group: stringAt(resource, "group"),
        resource: stringAt(resource, "resource"),
        subresource: stringAt(resource, "subresource"),
        namespace: stringAt(resource, "namespace"),
        name: stringAt(resource, "name"),
      })
    : authorizer.allowsPath(identity, stringAt(path, "verb"), stringAt(path, "path"));
  return answerJson(
    {
      kind: kind.kind,
      apiVersion: `${kind.group}/${kind.version}`,
      metadata: {},
      spec,
      status: { allowed },
    },
    201,
  );
}
