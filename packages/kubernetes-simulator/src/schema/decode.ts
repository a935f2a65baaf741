import { describeJsonKind } from "../go-format.js";
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import { isDroppedWhenEmpty } from "./empty-fields.js";
import type { Scalar, Schema, SchemaSet, StructType } from "./schema.js";

/** A value of the wrong type somewhere in an object. */
export interface TypeMismatch {
  /** The struct that holds the field, as Go calls it, and the field's path without indices. */
  readonly holder: string;
  readonly path: string;
  readonly value: JsonValue;
  /** What Go calls the wanted type: `int32`, `map[string]string`, `[]v1.Container`. */
  readonly wanted: string;
  readonly wantedKind: "slice" | "map" | "struct" | Scalar;
}

/** JSON read as an object of a kind. */
export type Decoded =
  | {
      readonly ok: true;
      /** The object with nothing but fields of its schema, the empty ones left out. */
      readonly object: JsonObject;
      /** Paths of the fields that the kind doesn't have, in the order of the text. */
      readonly unknown: readonly string[];
    }
  | { readonly ok: false; readonly mismatch: TypeMismatch };

/** Reads `value` as the struct `schema`, as the server decodes a body into its type. */
export function decodeObject(schemas: SchemaSet, schema: string, value: JsonValue): Decoded {
  const decoder = new Decoder();
  try {
    const decoded = decoder.read(schemas.get(schema), value, ROOT);
    return { ok: true, object: isJsonObject(decoded) ? decoded : {}, unknown: decoder.unknown };
  } catch (error) {
    if (error instanceof Mismatched) return { ok: false, mismatch: error.mismatch };
    throw error;
  }
}

/** The mismatch as Go's JSON decoder words it. */
export function describeUnmarshalError(mismatch: TypeMismatch): string {
  const number = typeof mismatch.value === "number" && mismatch.wantedKind.startsWith("int");
  const found = number ? `number ${mismatch.value}` : describeJsonKind(mismatch.value);
  const target =
    mismatch.path === ""
      ? "Go value"
      : `Go struct field ${mismatch.holder.replace(/^.*\./u, "")}.${mismatch.path}`;
  return `json: cannot unmarshal ${found} into ${target} of type ${mismatch.wanted}`;
}

/** The mismatch as the server words it for the result of a strategic merge patch. */
export function describeConversionError(mismatch: TypeMismatch): string {
  const found = goKindOf(mismatch.value);
  const { wanted, wantedKind } = mismatch;
  if (wantedKind === "slice" || wantedKind === "map") {
    return `cannot restore ${wantedKind} from ${found}`;
  }
  if (wantedKind === "struct") return `cannot restore struct from: ${found}`;
  // Go can turn integers into letters, so that one is refused by name.
  if (wantedKind === "string" && found === "int64") return "cannot convert int64 to string";
  if (wantedKind.startsWith("int") && found === "float64") {
    return `cannot convert float64 to ${wanted}`;
  }
  return `unrecognized type: ${wanted}`;
}

interface Place {
  /** With indices, for unknown fields. */
  readonly path: string;
  /** Without indices, for mismatches. */
  readonly plain: string;
  readonly holder: string;
}

const ROOT: Place = { path: "", plain: "", holder: "" };

// Unwinds a decoder from deep inside an object; never leaves this file.
class Mismatched extends Error {
  readonly mismatch: TypeMismatch;

  constructor(mismatch: TypeMismatch) {
    super("mismatch");
    this.mismatch = mismatch;
  }
}

class Decoder {
  readonly unknown: string[] = [];

  read(schema: Schema, value: JsonValue, place: Place): JsonValue {
    switch (schema.type.kind) {
      case "any":
        return value;
      case "scalar":
        return this.#scalar(schema.type.scalar, schema, value, place);
      case "array":
        return this.#array(schema, schema.type.items(), value, place);
      case "map":
        return this.#map(schema, schema.type.values(), value, place);
      case "struct":
        return this.#struct(schema, schema.type, value, place);
    }
  }

  #struct(schema: Schema, type: StructType, value: JsonValue, place: Place): JsonObject {
    if (!isJsonObject(value)) throw mismatched(schema, value, place);
    const members: [string, JsonValue][] = [];
    for (const [key, member] of Object.entries(value)) {
      const field = type.fields.get(key);
      const inner = below(place, key, type.name);
      if (field === undefined) {
        this.unknown.push(inner.path);
      } else if (member !== null) {
        const decoded = this.read(field(), member, inner);
        if (!isDroppedWhenEmpty(type.name, key, field(), decoded)) members.push([key, decoded]);
      }
    }
    for (const [key, field] of type.fields) {
      if (Object.hasOwn(value, key) && value[key] !== null) continue;
      const inner = field();
      if (inner.type.kind === "struct" && inner.hasDefault) {
        members.push([key, this.#struct(inner, inner.type, {}, place)]);
      }
    }
    return Object.fromEntries(members);
  }

  #map(schema: Schema, values: Schema, value: JsonValue, place: Place): JsonObject {
    if (!isJsonObject(value)) throw mismatched(schema, value, place);
    // Mismatches name the map, not its keys; unknown fields name both. Go writes maps in the order
    // of their keys.
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(byKey)
        .map(([key, member]) => [
          key,
          member === null
            ? zeroOf(values)
            : this.read(values, member, { ...place, path: `${place.path}.${key}` }),
        ]),
    );
  }

  #array(schema: Schema, items: Schema, value: JsonValue, place: Place): JsonArray {
    if (!isJsonArray(value)) throw mismatched(schema, value, place);
    return value.map((item, index) =>
      item === null
        ? zeroOf(items)
        : this.read(items, item, { ...place, path: `${place.path}[${index}]` }),
    );
  }

  #scalar(scalar: Scalar, schema: Schema, value: JsonValue, place: Place): JsonValue {
    if (!isOfScalar(scalar, value)) throw mismatched(schema, value, place);
    return scalar === "quantity" && typeof value === "number" ? String(value) : value;
  }
}

function byKey([left]: [string, JsonValue], [right]: [string, JsonValue]): number {
  return left < right ? -1 : 1;
}

function below(place: Place, key: string, holder: string): Place {
  return {
    path: place.path === "" ? key : `${place.path}.${key}`,
    plain: place.plain === "" ? key : `${place.plain}.${key}`,
    holder,
  };
}

function isOfScalar(scalar: Scalar, value: JsonValue): boolean {
  switch (scalar) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "int32":
      return typeof value === "number" && (value | 0) === value;
    case "int64":
      return Number.isInteger(value);
    case "double":
      return typeof value === "number";
    case "intOrString":
      return typeof value === "string" || Number.isInteger(value);
    case "quantity":
      return typeof value === "string" || typeof value === "number";
  }
}

function zeroOf(schema: Schema): JsonValue {
  switch (schema.type.kind) {
    case "any":
      return null;
    case "array":
      return [];
    case "map":
    case "struct":
      return {};
    case "scalar":
      if (schema.type.scalar === "boolean") return false;
      return schema.type.scalar === "string" || schema.type.scalar === "quantity" ? "" : 0;
  }
}

function mismatched(schema: Schema, value: JsonValue, place: Place): Mismatched {
  return new Mismatched({
    holder: place.holder,
    path: place.plain,
    value,
    wanted: goTypeOf(schema),
    wantedKind: wantedKindOf(schema),
  });
}

function wantedKindOf(schema: Schema): TypeMismatch["wantedKind"] {
  switch (schema.type.kind) {
    case "array":
      return "slice";
    case "map":
    case "struct":
      return schema.type.kind;
    case "scalar":
      return schema.type.scalar;
    case "any":
      return "struct";
  }
}

function goTypeOf(schema: Schema): string {
  switch (schema.type.kind) {
    case "array":
      return `[]${goTypeOf(schema.type.items())}`;
    case "map":
      return `map[string]${goTypeOf(schema.type.values())}`;
    case "struct":
      return schema.type.name;
    case "any":
      return "interface {}";
    case "scalar":
      return GO_SCALARS[schema.type.scalar];
  }
}

const GO_SCALARS: Readonly<Record<Scalar, string>> = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  double: "float64",
  intOrString: "intstr.IntOrString",
  quantity: "resource.Quantity",
};

function goKindOf(value: JsonValue): string {
  if (isJsonArray(value)) return "slice";
  if (isJsonObject(value)) return "map";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : typeof value;
}
