import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";

/** `target` with a JSON merge patch (RFC 7396) applied. */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const members = new Map<string, JsonValue>(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) members.delete(key);
    else members.set(key, applyMergePatch(members.get(key) ?? null, change));
  }
  return Object.fromEntries(members) satisfies JsonObject;
}
