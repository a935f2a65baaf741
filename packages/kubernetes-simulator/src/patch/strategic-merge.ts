import { simulatorBounds } from "../bounds.js";
import { describeGoValue } from "../go-format.js";
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import { memberSchema, type PatchRule, type Schema } from "../schema/schema.js";
import { isSameElement, orderElements } from "./element-order.js";

/** What a strategic merge patch came to; `bad_patch` is the client's fault, the rest is a 500. */
export type StrategicMerged =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly kind: "bad_patch" | "error"; readonly message: string };

/**
 * `original` with a strategic merge patch applied: maps merge, lists merge by the key that the
 * schema names, and the directives `$patch`, `$retainKeys`, `$setElementOrder` and
 * `$deleteFromPrimitiveList` are obeyed.
 */
export function applyStrategicMerge(
  original: JsonObject,
  patch: JsonObject,
  schema: Schema,
): StrategicMerged {
  try {
    return { ok: true, value: mergeMap(original, patch, schema) };
  } catch (error) {
    if (error instanceof Unmergeable) {
      return { ok: false, kind: error.kind, message: error.message };
    }
    throw error;
  }
}

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const ORDER_PREFIX = "$setElementOrder/";
const DELETE_PREFIX = "$deleteFromPrimitiveList/";
const NO_RULE: PatchRule = { merge: false, replace: false, retainKeys: false, mergeKey: "" };

// Unwinds a merge from deep inside a patch; never leaves this file.
class Unmergeable extends Error {
  readonly kind: "bad_patch" | "error";

  constructor(kind: "bad_patch" | "error", message: string) {
    super(message);
    this.kind = kind;
  }
}

function mergeMap(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive !== undefined) {
    if (directive === "replace") return stripDirectives(withoutKey(patch, DIRECTIVE));
    if (directive === "delete") return {};
    if (directive !== "merge") throw unknownDirective(patch);
  }
  const members = retained(original, patch[RETAIN_KEYS]);
  for (const [key, change] of Object.entries(patch)) {
    if (key === DIRECTIVE || key === RETAIN_KEYS || key.startsWith(ORDER_PREFIX)) continue;
    if (key.startsWith(DELETE_PREFIX)) {
      removeFromPrimitives(members, key.slice(DELETE_PREFIX.length), change);
    } else if (change === null) {
      members.delete(key);
    } else {
      const merged = mergeMember(members.get(key), change, memberSchema(schema, key));
      members.set(key, merged);
    }
  }
  for (const [key, order] of Object.entries(patch)) {
    if (key.startsWith(ORDER_PREFIX)) {
      orderMember(members, original, patch, key.slice(ORDER_PREFIX.length), order, schema);
    }
  }
  return Object.fromEntries(members);
}

function mergeMember(
  current: JsonValue | undefined,
  change: JsonValue,
  schema: Schema | undefined,
): JsonValue {
  const rule = schema?.patch ?? NO_RULE;
  if (isJsonObject(change)) {
    if (rule.replace) return stripDirectives(change);
    return mergeMap(isJsonObject(current) ? current : {}, change, schema);
  }
  if (isJsonArray(change)) {
    const items = schema?.type.kind === "array" ? schema.type.items() : undefined;
    if (!rule.merge) return change;
    if (current !== undefined && !isJsonArray(current)) return change;
    return mergeList(current ?? [], change, rule.mergeKey, items);
  }
  return change;
}

function mergeList(
  original: JsonArray,
  patch: JsonArray,
  mergeKey: string,
  items: Schema | undefined,
): JsonArray {
  const elements = [...original, ...patch];
  if (elements.length === 0) return [];
  // Merging compares every element with every other.
  if (elements.length > simulatorBounds.mergedListMax) {
    throw new Unmergeable("bad_patch", "a list to merge is too long");
  }
  const maps = elements.every(isJsonObject);
  if (!maps && elements.some((element) => isJsonObject(element) || isJsonArray(element))) {
    const shown = describeGoValue([original, patch]);
    throw new Unmergeable("error", `list element types are not identical: ${shown}`);
  }
  if (!maps) return orderElements(distinct(elements), patch, original, "");
  const { kept, changes } = applyListDirectives(original, patch.filter(isJsonObject), mergeKey);
  const merged: JsonValue[] = [...kept];
  for (const change of changes) {
    requireKey(change, mergeKey);
    const at = merged.findIndex((element) => isSameElement(element, change, mergeKey));
    const current = merged[at];
    const next = mergeMap(isJsonObject(current) ? current : {}, change, items);
    if (at < 0) merged.push(next);
    else merged[at] = next;
  }
  return orderElements(merged, changes, original, mergeKey);
}

// `$patch: replace` anywhere makes the rest of the patch the whole list; `$patch: delete` takes out
// the element of its key.
function applyListDirectives(
  original: JsonArray,
  patch: readonly JsonObject[],
  mergeKey: string,
): { readonly kept: JsonArray; readonly changes: readonly JsonObject[] } {
  let kept = original;
  const changes: JsonObject[] = [];
  let replaces = false;
  for (const element of patch) {
    const directive = element[DIRECTIVE];
    if (directive === undefined) changes.push(element);
    else if (directive === "merge") changes.push(withoutKey(element, DIRECTIVE));
    else if (directive === "replace") replaces = true;
    else if (directive === "delete") {
      requireKey(element, mergeKey);
      kept = kept.filter((other) => !isSameElement(other, element, mergeKey));
    } else throw unknownDirective(element);
  }
  return { kept: replaces ? [] : kept, changes };
}

function orderMember(
  members: Map<string, JsonValue>,
  original: JsonObject,
  patch: JsonObject,
  key: string,
  order: JsonValue,
  schema: Schema | undefined,
): void {
  const merged = members.get(key);
  if (!isJsonArray(order)) {
    throw new Unmergeable("bad_patch", "invalid patch format of setElementOrder list");
  }
  if (!isJsonArray(merged)) return;
  const mergeKey = merged.some(isJsonObject)
    ? (memberSchema(schema, key)?.patch.mergeKey ?? "")
    : "";
  const given = patch[key];
  const named = isJsonArray(given) ? given : [];
  const strange = named.some(
    (element) =>
      !(isJsonObject(element) && element[DIRECTIVE] !== undefined) &&
      !order.some((other) => isSameElement(other, element, mergeKey)),
  );
  if (strange) {
    throw new Unmergeable(
      "error",
      `The order in patch list:\n${describeGoValue(named)}\n doesn't match ` +
        `$setElementOrder list:\n${describeGoValue(order)}\n`,
    );
  }
  const before = original[key];
  const serverOrder = serverOrderOf(isJsonArray(before) ? before : [], merged, named, mergeKey);
  members.set(key, orderElements(merged, order, serverOrder, mergeKey));
}

// The server deletes elements in place, so that what it then takes for its own order is the list
// with the gap closed and what was added in the room that came free.
function serverOrderOf(
  before: JsonArray,
  merged: JsonArray,
  named: JsonArray,
  mergeKey: string,
): JsonArray {
  const isDeleted = (element: JsonValue): boolean =>
    named.some(
      (change) =>
        isJsonObject(change) &&
        change[DIRECTIVE] === "delete" &&
        isSameElement(change, element, mergeKey),
    );
  const kept = before.filter((element) => !isDeleted(element));
  if (kept.length === before.length) return before;
  const added = merged.filter(
    (element) => !before.some((other) => isSameElement(other, element, mergeKey)),
  );
  return [...kept, ...added].slice(0, before.length);
}

function removeFromPrimitives(
  members: Map<string, JsonValue>,
  key: string,
  removed: JsonValue,
): void {
  if (!isJsonArray(removed)) {
    throw new Unmergeable("bad_patch", "invalid patch format of primitive list");
  }
  const current = members.get(key);
  if (!isJsonArray(current)) return;
  members.set(
    key,
    current.filter((element) => !removed.some((other) => isSameElement(other, element, ""))),
  );
}

function retained(original: JsonObject, keys: JsonValue | undefined): Map<string, JsonValue> {
  const members = new Map(Object.entries(original));
  if (keys === undefined) return members;
  if (!isJsonArray(keys)) {
    throw new Unmergeable("bad_patch", "invalid patch format of retainKeys");
  }
  for (const key of members.keys()) if (!keys.includes(key)) members.delete(key);
  return members;
}

function requireKey(element: JsonObject, mergeKey: string): void {
  if (Object.hasOwn(element, mergeKey)) return;
  const shown = describeGoValue(element);
  throw new Unmergeable("error", `map: ${shown} does not contain declared merge key: ${mergeKey}`);
}

function unknownDirective(map: JsonObject): Unmergeable {
  const directive = describeGoValue(map[DIRECTIVE] ?? null);
  const shown = describeGoValue(map);
  return new Unmergeable("error", `unknown patch type: ${directive} in map: ${shown}`);
}

function stripDirectives(patch: JsonObject): JsonObject {
  return mergeMap({}, patch, undefined);
}

function withoutKey(object: JsonObject, key: string): JsonObject {
  const { [key]: _removed, ...rest } = object;
  return rest;
}

function distinct(elements: JsonArray): JsonArray {
  return elements.filter(
    (element, at) => elements.findIndex((other) => isSameElement(other, element, "")) === at,
  );
}
