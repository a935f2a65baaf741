import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from "../json-value.js";

/**
 * A schema of the stored documents, resolved: references followed, and what a property says beside
 * its reference kept.
 */
export interface Schema {
  readonly type:
    | StructType
    | { readonly kind: "map"; readonly values: () => Schema }
    | { readonly kind: "array"; readonly items: () => Schema }
    | { readonly kind: "scalar"; readonly scalar: Scalar }
    /** Anything goes: raw extensions, FieldsV1, JSON. */
    | { readonly kind: "any" };
  /** `struct` is not a pointer in the server: present even when nothing of it was given. */
  readonly hasDefault: boolean;
  /** The property is one that its struct must have. */
  readonly required: boolean;
  readonly list: ListKind;
  readonly atomicMap: boolean;
  readonly patch: PatchRule;
}

/** An object with known properties; `name` is what Go calls it: `v1.Container`. */
export interface StructType {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
}

/** A property of a struct. */
export type Field = () => Schema;

/** The scalar types of the documents. */
export type Scalar =
  | "string"
  | "boolean"
  | "int32"
  | "int64"
  | "double"
  | "intOrString"
  | "quantity";

/** How items of a list are told apart when fields are owned. */
export type ListKind =
  | { readonly kind: "atomic" }
  | { readonly kind: "set" }
  | { readonly kind: "map"; readonly keys: readonly string[] };

/** What a strategic merge patch does with the value. */
export interface PatchRule {
  readonly merge: boolean;
  readonly replace: boolean;
  readonly retainKeys: boolean;
  readonly mergeKey: string;
}

/** The schemas by name: `io.k8s.api.apps.v1.Deployment`. */
export interface SchemaSet {
  readonly get: (name: string) => Schema;
}

/** The schema of a member of an object, if the object's own says. */
export function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.type.kind === "struct") return schema.type.fields.get(key)?.();
  return schema?.type.kind === "map" ? schema.type.values() : undefined;
}

const REFERENCE = "#/components/schemas/";
const NO_RULE: PatchRule = { merge: false, replace: false, retainKeys: false, mergeKey: "" };

/** The schemas of several documents together; a name in two of them means the same in both. */
export function makeSchemaSet(documents: readonly JsonObject[]): SchemaSet {
  const named = new Map<string, JsonObject>();
  for (const document of documents) {
    for (const [name, schema] of Object.entries(objectAt(document, "components", "schemas"))) {
      if (isJsonObject(schema)) named.set(name, schema);
    }
  }
  const resolved = new Map<string, Schema>();
  const get = (name: string): Schema => {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const node = named.get(name);
    if (node === undefined) throw new Error(`no stored document has the schema ${name}`);
    const schema = resolveSchema(node, name, get);
    resolved.set(name, schema);
    return schema;
  };
  return { get };
}

function resolveSchema(
  node: JsonObject,
  name: string,
  get: (name: string) => Schema,
  required = false,
): Schema {
  const reference = referenceOf(node);
  const target = reference === "" ? undefined : get(reference);
  return {
    type: target?.type ?? typeOf(node, name, get),
    hasDefault: Object.hasOwn(node, "default"),
    required,
    list: listKindOf(node) ?? target?.list ?? { kind: "atomic" },
    atomicMap: stringAt(node, "x-kubernetes-map-type") === "atomic" || (target?.atomicMap ?? false),
    patch: patchRuleOf(node),
  };
}

function referenceOf(node: JsonObject): string {
  const all = node["allOf"];
  const direct = stringAt(node, "$ref");
  const reference = direct === "" && Array.isArray(all) ? stringAt(all[0], "$ref") : direct;
  return reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : "";
}

function typeOf(node: JsonObject, name: string, get: (name: string) => Schema): Schema["type"] {
  if (node["oneOf"] !== undefined) {
    const scalar = stringAt(node, "format") === "int-or-string" ? "intOrString" : "quantity";
    return { kind: "scalar", scalar };
  }
  switch (stringAt(node, "type")) {
    case "object":
      return objectTypeOf(node, name, get);
    case "array":
      return { kind: "array", items: lazily(objectAt(node, "items"), get) };
    case "string":
      return { kind: "scalar", scalar: "string" };
    case "boolean":
      return { kind: "scalar", scalar: "boolean" };
    case "number":
      return { kind: "scalar", scalar: "double" };
    case "integer":
      return {
        kind: "scalar",
        scalar: stringAt(node, "format") === "int64" ? "int64" : "int32",
      };
    default:
      return { kind: "any" };
  }
}

function objectTypeOf(
  node: JsonObject,
  name: string,
  get: (name: string) => Schema,
): Schema["type"] {
  const values = node["additionalProperties"];
  if (isJsonObject(values)) return { kind: "map", values: lazily(values, get) };
  const properties = node["properties"];
  if (!isJsonObject(properties)) return { kind: "any" };
  const required = arrayAt(node, "required");
  const fields = new Map<string, Field>();
  for (const [key, property] of Object.entries(properties)) {
    if (isJsonObject(property)) fields.set(key, lazily(property, get, required.includes(key)));
  }
  return { kind: "struct", name: name.split(".").slice(-2).join("."), fields };
}

// Schemas refer to themselves (JSONSchemaProps does): nothing is resolved before it is asked for.
function lazily(node: JsonObject, get: (name: string) => Schema, required = false): () => Schema {
  let schema: Schema | undefined;
  return () => (schema ??= resolveSchema(node, "", get, required));
}

function listKindOf(node: JsonObject): ListKind | undefined {
  switch (stringAt(node, "x-kubernetes-list-type")) {
    case "set":
      return { kind: "set" };
    case "map": {
      const keys = node["x-kubernetes-list-map-keys"];
      const names = Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
      return { kind: "map", keys: names };
    }
    default:
      return undefined;
  }
}

function patchRuleOf(node: JsonObject): PatchRule {
  const strategy = stringAt(node, "x-kubernetes-patch-strategy");
  if (strategy === "") return NO_RULE;
  const parts = strategy.split(",");
  return {
    merge: parts.includes("merge"),
    replace: parts.includes("replace"),
    retainKeys: parts.includes("retainKeys"),
    mergeKey: stringAt(node, "x-kubernetes-patch-merge-key"),
  };
}
