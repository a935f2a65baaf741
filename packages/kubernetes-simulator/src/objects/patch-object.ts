import type { ResourceKind } from "../api/resource-kind.js";
import { simulatorBounds } from "../bounds.js";
import {
  describeGoValue,
  describeJsonKind,
  describeSyntaxError,
  encodeJson,
} from "../go-format.js";
import {
  isJsonArray,
  isJsonObject,
  isWithinDepth,
  parseJson,
  objectAt,
  stringAt,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import { applyJsonPatch } from "../patch/json-patch.js";
import { applyMergePatch } from "../patch/merge-patch.js";
import { applyStrategicMerge } from "../patch/strategic-merge.js";
import { badRequest, bareError, rejectedPatch, unusablePatch } from "../refusals.js";
import { decodeObject, describeConversionError, describeUnmarshalError } from "../schema/decode.js";
import type { SchemaSet } from "../schema/schema.js";
import { makeFailure } from "../status.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { describeUnknown, type DecodedBody, type FieldValidation } from "./decode-body.js";

/** The patches that are understood, by their media types. */
export type PatchType = "strategic" | "merge" | "json";

/** The patch that a media type announces. */
export const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ["application/strategic-merge-patch+json", "strategic"],
  ["application/merge-patch+json", "merge"],
  ["application/json-patch+json", "json"],
]);

/** A patch as it came. */
export interface Patch {
  readonly type: PatchType;
  readonly text: string;
  readonly validation: FieldValidation;
}

/** `current`, an object of the schema, with the patch applied and read as that kind again. */
export function patchObject(
  schemas: SchemaSet,
  schema: string,
  current: JsonObject,
  patch: Patch,
): Verdict<DecodedBody> {
  const applied =
    patch.type === "strategic"
      ? applyStrategic(schemas, schema, current, patch.text)
      : applyDocument(current, patch);
  if (!applied.ok) return applied;
  const { value, shown } = applied.value;
  const decoded = decodeObject(schemas, schema, value);
  if (!decoded.ok) {
    const why =
      patch.type === "strategic"
        ? describeConversionError(decoded.mismatch)
        : describeUnmarshalError(decoded.mismatch);
    return refuse(unusablePatch(shown(), why));
  }
  const unknown = describeUnknown(decoded.unknown);
  if (patch.validation === "Strict" && unknown.length > 0) {
    return refuse(unusablePatch(shown(), `strict decoding error: ${unknown.join(", ")}`));
  }
  return accept({
    object: decoded.object,
    warnings: patch.validation === "Warn" ? unknown : [],
  });
}

/** The refusal of an object whose own name or namespace is not the one in the URL. */
export function checkIdentity(
  kind: ResourceKind,
  namespace: string,
  name: string,
  object: JsonObject,
): Verdict<JsonObject> {
  const own = stringAt(object, "metadata", "name");
  if (own === "") {
    const what = `the name of the object (${name} based on URL) was undeterminable`;
    return refuse(badRequest(`${what}: name must be provided`));
  }
  if (own !== name) {
    const why = `the name of the object (${own}) does not match the name on the URL (${name})`;
    return refuse(badRequest(why));
  }
  return checkNamespace(kind, namespace, object);
}

/** The object in the request's namespace; a refusal when it says another of itself. */
export function checkNamespace(
  kind: ResourceKind,
  namespace: string,
  object: JsonObject,
): Verdict<JsonObject> {
  const own = stringAt(object, "metadata", "namespace");
  if (own !== "" && own !== namespace) {
    return refuse(
      badRequest(
        "the namespace of the provided object does not match the namespace sent on the request",
      ),
    );
  }
  if (!kind.namespaced || own === namespace) return accept(object);
  return accept({ ...object, metadata: { ...objectAt(object, "metadata"), namespace } });
}

interface Applied {
  readonly value: JsonValue;
  /** What messages about the result show, made only when one is written. */
  readonly shown: () => string;
}

function applyStrategic(
  schemas: SchemaSet,
  schema: string,
  current: JsonObject,
  text: string,
): Verdict<Applied> {
  const patch = parseMap(text, "");
  if (!patch.ok) return patch;
  const merged = applyStrategicMerge(current, patch.value, schemas.get(schema));
  if (!merged.ok) {
    return refuse(
      merged.kind === "bad_patch" ? badRequest(merged.message) : bareError(merged.message),
    );
  }
  return accept({ value: merged.value, shown: () => describeGoValue(patch.value) });
}

function applyDocument(current: JsonObject, patch: Patch): Verdict<Applied> {
  const value =
    patch.type === "merge" ? applyMerge(current, patch.text) : applyList(current, patch.text);
  if (!value.ok) return value;
  return accept({ value: value.value, shown: () => encodeJson(value.value) });
}

function applyMerge(current: JsonObject, text: string): Verdict<JsonValue> {
  const patch = parseMap(text, "error decoding patch: ");
  return patch.ok ? accept(applyMergePatch(current, patch.value)) : patch;
}

function applyList(current: JsonObject, text: string): Verdict<JsonValue> {
  const operations = parsePatchText(text, "error decoding patch: ");
  if (!operations.ok) return operations;
  if (!isJsonArray(operations.value)) {
    const found = describeJsonKind(operations.value);
    const why = `json: cannot unmarshal ${found} into Go value of type []handlers.jsonPatchOp`;
    return refuse(badRequest(`error decoding patch: ${why}`));
  }
  const { length } = operations.value;
  if (length > simulatorBounds.patchOperationsMax) {
    const max = simulatorBounds.patchOperationsMax;
    const why = `The allowed maximum operations in a JSON patch is ${max}, got ${length}`;
    return refuse(makeFailure(413, "RequestEntityTooLarge", why));
  }
  const strange = operations.value.find((operation) => !isJsonObject(operation));
  if (strange !== undefined) {
    const found = describeJsonKind(strange);
    const why = `json: cannot unmarshal ${found} into Go value of type handlers.jsonPatchOp`;
    return refuse(badRequest(`error decoding patch: ${why}`));
  }
  const patched = applyJsonPatch(current, operations.value);
  return patched.ok ? accept(patched.value) : refuse(rejectedPatch());
}

function parseMap(text: string, prefix: string): Verdict<JsonObject> {
  const parsed = parsePatchText(text, prefix);
  if (!parsed.ok) return parsed;
  // To Go's decoder null is a map without anything in it.
  if (parsed.value === null) return accept({});
  if (isJsonObject(parsed.value)) return accept(parsed.value);
  const found = describeJsonKind(parsed.value);
  const why = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  return refuse(badRequest(`${prefix}${why}`));
}

function parsePatchText(text: string, prefix: string): Verdict<JsonValue> {
  const value = parseJson(text);
  if (value === undefined) return refuse(badRequest(`${prefix}${describeSyntaxError(text)}`));
  if (!isWithinDepth(value, simulatorBounds.bodyDepthMax)) {
    return refuse(badRequest(`${prefix}exceeded max depth`));
  }
  return accept(value);
}
