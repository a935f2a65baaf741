import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import { memberSchema, type ListKind, type Schema } from "../schema/schema.js";

/**
 * Field paths of an object as FieldsV1 names them (`f:spec`, `k:{"name":"app"}`, `v:"x"`), joined
 * by a letter that is in none of them, each with the value that stands there; containers that are
 * owned themselves (FieldsV1's ".") have no value of their own.
 */
export type FieldPaths = ReadonlyMap<string, JsonValue>;

const SEPARATOR = "\u0000";
const CONTAINER: JsonValue = "\u0000container";

// What the server keeps to itself belongs to nobody.
const UNOWNED: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "metadata.creationTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "metadata.deletionTimestamp",
  "metadata.generation",
  "metadata.managedFields",
  "metadata.name",
  "metadata.namespace",
  "metadata.resourceVersion",
  "metadata.selfLink",
  "metadata.uid",
]);

/** Whether a path leads to the status or into it. */
export function isOfStatus(path: string): boolean {
  return path === "f:status" || path.startsWith(`f:status${SEPARATOR}`);
}

/** The paths of all fields of `object` that can be owned. */
export function fieldPathsOf(object: JsonObject, schema: Schema): FieldPaths {
  const paths = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(object)) {
    if (UNOWNED.has(key)) continue;
    if (key === "metadata" && isJsonObject(value)) {
      const owned = Object.entries(value).filter(([name]) => !UNOWNED.has(`metadata.${name}`));
      collect(paths, "f:metadata", Object.fromEntries(owned), memberSchema(schema, key));
    } else {
      collect(paths, `f:${key}`, value, memberSchema(schema, key));
    }
  }
  return paths;
}

function collect(
  paths: Map<string, JsonValue>,
  path: string,
  value: JsonValue,
  schema: Schema | undefined,
): void {
  if (isJsonObject(value) && schema !== undefined && !schema.atomicMap) {
    const { kind } = schema.type;
    if (kind === "struct" || kind === "map") {
      collectMembers(paths, path, value, schema);
      return;
    }
  }
  if (isJsonArray(value) && schema?.type.kind === "array" && schema.list.kind !== "atomic") {
    // A list that is always there is owned only through its items.
    if (!schema.required) paths.set(path, CONTAINER);
    collectItems(paths, path, value, schema.list, schema.type.items());
    return;
  }
  paths.set(path, value);
}

function collectMembers(
  paths: Map<string, JsonValue>,
  path: string,
  value: JsonObject,
  schema: Schema,
): void {
  const members = Object.entries(value);
  // A struct that is always there is owned only through what is in it.
  const isImplied = schema.type.kind === "struct" && schema.hasDefault;
  if (members.length === 0 || !isImplied) {
    paths.set(path, members.length === 0 ? {} : CONTAINER);
  }
  for (const [key, member] of members) {
    collect(paths, `${path}${SEPARATOR}f:${key}`, member, memberSchema(schema, key));
  }
}

function collectItems(
  paths: Map<string, JsonValue>,
  path: string,
  items: JsonArray,
  list: ListKind,
  schema: Schema,
): void {
  for (const item of items) {
    if (list.kind === "set") {
      paths.set(`${path}${SEPARATOR}v:${JSON.stringify(item)}`, item);
    } else if (list.kind === "map" && isJsonObject(item)) {
      const keys = list.keys
        .filter((key) => Object.hasOwn(item, key))
        .toSorted()
        .map((key) => [key, item[key] ?? null] as const);
      const place = `${path}${SEPARATOR}k:${JSON.stringify(Object.fromEntries(keys))}`;
      if (schema.atomicMap) {
        paths.set(place, item);
        continue;
      }
      paths.set(place, CONTAINER);
      for (const [key, member] of Object.entries(item)) {
        collect(paths, `${place}${SEPARATOR}f:${key}`, member, memberSchema(schema, key));
      }
    }
  }
}

/** A set of paths as a FieldsV1 trie. */
export function encodeFieldSet(paths: Iterable<string>): JsonObject {
  const root = new Map<string, Trie>();
  for (const path of [...paths].toSorted()) {
    let level = root;
    let leaf: Trie | undefined;
    for (const step of path.split(SEPARATOR)) {
      leaf = level.get(step);
      if (leaf === undefined) {
        leaf = { owned: false, members: new Map() };
        level.set(step, leaf);
      }
      level = leaf.members;
    }
    if (leaf !== undefined) leaf.owned = true;
  }
  return encodeLevel(root);
}

/** The paths in a FieldsV1 trie. */
export function decodeFieldSet(fields: JsonObject): ReadonlySet<string> {
  const paths = new Set<string>();
  const walk = (level: JsonObject, prefix: string): void => {
    for (const [step, below] of Object.entries(level)) {
      if (step === ".") continue;
      const path = prefix === "" ? step : `${prefix}${SEPARATOR}${step}`;
      const members = isJsonObject(below) ? below : {};
      if (Object.keys(members).length === 0 || Object.hasOwn(members, ".")) paths.add(path);
      walk(members, path);
    }
  };
  walk(fields, "");
  return paths;
}

interface Trie {
  owned: boolean;
  readonly members: Map<string, Trie>;
}

function encodeLevel(level: ReadonlyMap<string, Trie>): JsonObject {
  return Object.fromEntries(
    [...level].map(([step, { owned, members }]) => [
      step,
      owned && members.size > 0 ? { ".": {}, ...encodeLevel(members) } : encodeLevel(members),
    ]),
  );
}
