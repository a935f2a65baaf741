import {
  equalJson,
  isJsonArray,
  isJsonObject,
  stringAt,
  withMember,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";

/** What a JSON Patch came to: the changed value, or the operation that doesn't apply. */
export type JsonPatched =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly operation: number };

/** `target` with a JSON Patch (RFC 6902) applied, whole or not at all. */
export function applyJsonPatch(target: JsonValue, operations: readonly JsonValue[]): JsonPatched {
  let value = target;
  for (const [index, operation] of operations.entries()) {
    const next = isJsonObject(operation) ? applyOperation(value, operation) : undefined;
    if (next === undefined) return { ok: false, operation: index };
    value = next;
  }
  return { ok: true, value };
}

function applyOperation(target: JsonValue, operation: JsonObject): JsonValue | undefined {
  const path = parsePointer(operation["path"]);
  if (path === undefined) return undefined;
  const value = operation["value"];
  switch (stringAt(operation, "op")) {
    case "add":
      return value === undefined ? undefined : add(target, path, value);
    case "remove":
      return remove(target, path);
    case "replace":
      return value === undefined ? undefined : replace(target, path, value);
    case "test":
      // A `value` that is left out stands for null, as the server's library has it.
      return equalJson(find(target, path) ?? null, value ?? null) ? target : undefined;
    case "copy":
    case "move":
      return relocate(target, path, operation);
    default:
      return undefined;
  }
}

function relocate(
  target: JsonValue,
  path: readonly string[],
  operation: JsonObject,
): JsonValue | undefined {
  const from = parsePointer(operation["from"]);
  if (from === undefined) return undefined;
  const value = find(target, from);
  if (value === undefined) return undefined;
  if (operation["op"] === "copy") return add(target, path, value);
  // A value cannot be moved into itself.
  if (from.length < path.length && from.every((token, at) => token === path[at])) return undefined;
  const without = remove(target, from);
  return without === undefined ? undefined : add(without, path, value);
}

/** The tokens of a JSON pointer (RFC 6901), if `value` is one. */
export function parsePointer(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === "") return [];
  if (typeof value !== "string" || !value.startsWith("/")) return undefined;
  if (/~(?![01])/u.test(value)) return undefined;
  return value
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function find(target: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = target;
  for (const token of path) {
    if (isJsonArray(at)) {
      const index = indexOf(token, at.length);
      at = index === undefined ? undefined : at[index];
    } else if (isJsonObject(at) && Object.hasOwn(at, token)) {
      at = at[token];
    } else {
      return undefined;
    }
  }
  return at;
}

function add(target: JsonValue, path: readonly string[], value: JsonValue): JsonValue | undefined {
  return edit(target, path, value, (holder, token) => {
    if (isJsonObject(holder)) return { ...holder, [token]: value };
    const index = token === "-" ? holder.length : indexOf(token, holder.length + 1);
    if (index === undefined || index > holder.length) return undefined;
    return holder.toSpliced(index, 0, value);
  });
}

function replace(
  target: JsonValue,
  path: readonly string[],
  value: JsonValue,
): JsonValue | undefined {
  return edit(target, path, value, (holder, token) => {
    // The server's library sets a member that is not there, where the RFC has it fail.
    if (isJsonObject(holder)) return { ...holder, [token]: value };
    const index = indexOf(token, holder.length);
    return index === undefined || index >= holder.length ? undefined : holder.with(index, value);
  });
}

function remove(target: JsonValue, path: readonly string[]): JsonValue | undefined {
  if (path.length > 0 && find(target, path) === undefined) return undefined;
  return edit(target, path, null, (holder, token) =>
    isJsonObject(holder)
      ? withMember(holder, token, undefined)
      : holder.toSpliced(indexOf(token, holder.length) ?? holder.length, 1),
  );
}

// Rebuilds the way down to the holder of the last token; an empty path replaces the whole.
function edit(
  target: JsonValue,
  path: readonly string[],
  whole: JsonValue,
  change: (holder: JsonObject | readonly JsonValue[], token: string) => JsonValue | undefined,
): JsonValue | undefined {
  const token = path[0];
  if (token === undefined) return whole;
  if (!isJsonObject(target) && !isJsonArray(target)) return undefined;
  if (path.length === 1) return change(target, token);
  const member = find(target, [token]);
  if (member === undefined) return undefined;
  const changed = edit(member, path.slice(1), whole, change);
  if (changed === undefined) return undefined;
  return isJsonObject(target)
    ? { ...target, [token]: changed }
    : target.with(indexOf(token, target.length) ?? 0, changed);
}

// An index of a list, from its end when negative: an extension of the server's library.
function indexOf(token: string, length: number): number | undefined {
  if (!/^-?(?:0|[1-9][0-9]{0,8})$/u.test(token)) return undefined;
  const index = Number(token) < 0 ? Number(token) + length : Number(token);
  return index < 0 ? undefined : index;
}
