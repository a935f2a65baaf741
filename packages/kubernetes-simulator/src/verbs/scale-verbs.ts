import { answerJson, answerStatus, type BodyAnswer } from "../http/answer.js";
import { numberAt, objectAt, stringAt, type JsonObject } from "../json-value.js";
import type { BodyKind } from "../objects/decode-body.js";
import { PATCH_TYPES, patchObject } from "../objects/patch-object.js";
import { updateObject } from "../objects/update-object.js";
import type { World } from "../objects/world.js";
import { conflict, invalidObject, notFound, unsupportedPatch } from "../refusals.js";
import { invalid } from "../rules/field-error.js";
import { describeLabelSelector } from "../rules/label-selector.js";
import type { StoredObject } from "../store/stored-object.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import type { ResourceRequest } from "./resource-request.js";
import { parseWriteOptions, warningHeaders, type WriteOptions } from "./write-options.js";
import { readBody } from "./write-verbs.js";

const SCALE: BodyKind = {
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  schema: "io.k8s.api.autoscaling.v1.Scale",
};

/** GET, PUT and PATCH of `/scale`. */
export function scaleVerb(world: World, request: ResourceRequest): BodyAnswer {
  const { kind, namespace, name } = request;
  if (request.verb === "get") {
    const object = world.store.get({ resource: kind, namespace, name });
    return object === undefined
      ? answerStatus(notFound(kind, name))
      : answerJson(makeScale(object));
  }
  const isPatch = request.verb === "patch";
  if (isPatch && !PATCH_TYPES.has(request.contentType)) return answerStatus(unsupportedPatch());
  const options = parseWriteOptions(request, isPatch ? "PatchOptions" : "UpdateOptions");
  if (!options.ok) return answerStatus(options.status);
  let warnings: readonly string[] = [];
  const changed = updateObject(world, {
    kind,
    namespace,
    name,
    subresource: "scale",
    writer: options.value.writer,
    produce: (current) => {
      const scale = readScale(world, request, options.value, makeScale(current));
      if (!scale.ok) return scale;
      warnings = scale.value.warnings;
      return applyScale(request, current, scale.value.object);
    },
  });
  if (!changed.ok) return answerStatus(changed.status);
  return answerJson(makeScale(changed.value), 200, warningHeaders(warnings));
}

/** A workload as its `autoscaling/v1` Scale. */
export function makeScale(object: StoredObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = numberAt(object.spec, "replicas") ?? 0;
  const selector = describeLabelSelector(objectAt(object.spec, "selector"));
  return {
    kind: SCALE.kind,
    apiVersion: "autoscaling/v1",
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: { replicas: numberAt(object.status, "replicas") ?? 0, selector },
  };
}

function readScale(
  world: World,
  request: ResourceRequest,
  options: WriteOptions,
  current: JsonObject,
): ReturnType<typeof readBody> {
  const type = PATCH_TYPES.get(request.contentType);
  if (request.verb === "patch" && type !== undefined) {
    const patch = { type, text: request.body, validation: options.validation };
    return patchObject(world.schemas, SCALE.schema, current, patch);
  }
  return readBody(world, request, SCALE, options);
}

function applyScale(
  { kind, name }: ResourceRequest,
  current: StoredObject,
  scale: JsonObject,
): Verdict<StoredObject> {
  const replicas = numberAt(scale, "spec", "replicas") ?? 0;
  if (replicas < 0) {
    const error = invalid("spec.replicas", replicas, "must be greater than or equal to 0");
    return refuse(invalidObject(SCALE, name, [error]));
  }
  const uid = stringAt(scale, "metadata", "uid");
  if (uid !== "" && uid !== current.metadata.uid) {
    const actual = current.metadata.uid;
    const why = `UID in precondition: ${uid}, UID in object meta: ${actual}`;
    return refuse(conflict(kind, name, `Precondition failed: ${why}`));
  }
  const version = stringAt(scale, "metadata", "resourceVersion");
  return accept({
    ...current,
    metadata: { ...current.metadata, resourceVersion: version },
    spec: { ...objectAt(current.spec), replicas },
  });
}
