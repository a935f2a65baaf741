/** Any JSON value. Values are never changed in place: what is stored is frozen. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;

/** A JSON array. */
export type JsonArray = readonly JsonValue[];

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** The object without anything in it. */
export const EMPTY_OBJECT: JsonObject = Object.freeze({});

/** What `text` is as JSON; undefined for text that is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether `value` is a JSON object: no array, no null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether `value` is a JSON array. */
export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** The object at `path` below `value`, or an empty one. */
export function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : EMPTY_OBJECT;
}

/** The array at `path` below `value`, or an empty one. */
export function arrayAt(value: JsonValue | undefined, ...path: readonly string[]): JsonArray {
  const found = valueAt(value, ...path);
  return isJsonArray(found) ? found : [];
}

/** The string at `path` below `value`, or "". */
export function stringAt(value: JsonValue | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
}

/** The number at `path` below `value`, if there is one. */
export function numberAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** What is at `path` below `value`, own members only. */
export function valueAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): JsonValue | undefined {
  let at = value;
  for (const key of path) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** Whether two values are the same JSON; members may stand in any order. */
export function equalJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalJson(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]))
  );
}

/** `object` with `key` set to `value`, or without `key` when `value` is undefined. */
export function withMember(
  object: JsonObject,
  key: string,
  value: JsonValue | undefined,
): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _removed, ...rest } = object;
  return rest;
}

/** `value`, frozen to its leaves. What is frozen already is not walked again. */
export function freezeJson<T extends JsonValue>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values<JsonValue>(value)) freezeJson(member);
  return Object.freeze(value);
}

/** Whether nothing in `value` is nested deeper than `depthMax`; walks without recursion. */
export function isWithinDepth(value: JsonValue, depthMax: number): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return false;
    const next: JsonValue[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const member of Object.values<JsonValue>(item)) next.push(member);
    }
    level = next;
  }
  return true;
}
