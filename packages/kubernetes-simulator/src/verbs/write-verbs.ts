import { answerStatus, type BodyAnswer } from "../http/answer.js";
import { createObject } from "../objects/create-object.js";
import { decodeBody, type BodyKind, type DecodedBody } from "../objects/decode-body.js";
import {
  checkIdentity,
  checkNamespace,
  PATCH_TYPES,
  patchObject,
} from "../objects/patch-object.js";
import { updateObject } from "../objects/update-object.js";
import type { World } from "../objects/world.js";
import { conflict, unsupportedBody, unsupportedPatch } from "../refusals.js";
import { rulesOf } from "../rules/rules-by-kind.js";
import { asJson, asStored, type StoredObject } from "../store/stored-object.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { answerObject } from "./answer-object.js";
import type { ResourceRequest } from "./resource-request.js";
import { parseWriteOptions, warningHeaders, type WriteOptions } from "./write-options.js";

/** POST of a collection. */
export function createVerb(world: World, request: ResourceRequest): BodyAnswer {
  const options = parseWriteOptions(request, "CreateOptions");
  if (!options.ok) return answerStatus(options.status);
  const body = readBody(world, request, request.kind, options.value);
  if (!body.ok) return answerStatus(body.status);
  const placed = checkNamespace(request.kind, request.namespace, body.value.object);
  if (!placed.ok) return answerStatus(placed.status);
  const created = createObject(world, {
    kind: request.kind,
    namespace: request.namespace,
    object: placed.value,
    writer: options.value.writer,
  });
  if (!created.ok) return answerStatus(created.status);
  return answerObject(world, request, created.value, 201, warningHeaders(body.value.warnings));
}

/** PUT of an object or its status. */
export function updateVerb(world: World, request: ResourceRequest): BodyAnswer {
  const options = parseWriteOptions(request, "UpdateOptions");
  if (!options.ok) return answerStatus(options.status);
  const body = readBody(world, request, request.kind, options.value);
  if (!body.ok) return answerStatus(body.status);
  const { kind, namespace, name } = request;
  const wanted = checkIdentity(kind, namespace, name, body.value.object);
  if (!wanted.ok) return answerStatus(wanted.status);
  return change(world, request, options.value, () =>
    accept({ object: asStored(wanted.value), warnings: body.value.warnings, isWhole: true }),
  );
}

/** PATCH of an object or its status. */
export function patchVerb(world: World, request: ResourceRequest): BodyAnswer {
  const type = PATCH_TYPES.get(request.contentType);
  if (type === undefined) return answerStatus(unsupportedPatch());
  const options = parseWriteOptions(request, "PatchOptions");
  if (!options.ok) return answerStatus(options.status);
  const { kind, namespace, name } = request;
  const patch = { type, text: request.body, validation: options.value.validation };
  return change(world, request, options.value, (current) => {
    const patched = patchObject(world.schemas, kind.schema, asJson(current), patch);
    if (!patched.ok) return patched;
    const checked = checkIdentity(kind, namespace, name, patched.value.object);
    if (!checked.ok) return checked;
    return accept({
      object: asStored(checked.value),
      warnings: patched.value.warnings,
      isWhole: false,
    });
  });
}

/** Reads a body of JSON as an object of `kind`. */
export function readBody(
  world: World,
  request: ResourceRequest,
  kind: BodyKind,
  options: WriteOptions,
): Verdict<DecodedBody> {
  if (request.contentType !== "application/json" && request.contentType !== "") {
    return refuse(unsupportedBody());
  }
  return decodeBody(world.schemas, kind, request.body, options.validation);
}

interface Wanted {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
  /** A PUT's object: its uid is a precondition, not a value. */
  readonly isWhole: boolean;
}

function change(
  world: World,
  request: ResourceRequest,
  options: WriteOptions,
  want: (current: StoredObject) => Verdict<Wanted>,
): BodyAnswer {
  const { kind, namespace, name } = request;
  let warnings: readonly string[] = [];
  const changed = updateObject(world, {
    kind,
    namespace,
    name,
    subresource: request.subresource === "status" ? "status" : "",
    writer: options.writer,
    produce: (current) => {
      const wanted = want(current);
      if (!wanted.ok) return wanted;
      warnings = wanted.value.warnings;
      const uid = wanted.value.object.metadata.uid ?? "";
      if (wanted.value.isWhole && uid !== "" && uid !== current.metadata.uid) {
        return refuse(conflict(kind, name, describeUidPrecondition(request, uid, current)));
      }
      return accept(asStored(rulesOf(kind).defaults(asJson(wanted.value.object))));
    },
  });
  if (!changed.ok) return answerStatus(changed.status);
  return answerObject(world, request, changed.value, 200, warningHeaders(warnings));
}

function describeUidPrecondition(
  { kind, namespace, name }: ResourceRequest,
  uid: string,
  current: StoredObject,
): string {
  const path = namespace === "" ? name : `${namespace}/${name}`;
  return (
    `StorageError: invalid object, Code: 4, Key: /registry/${kind.plural}/${path}, ` +
    "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " +
    `UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`
  );
}
