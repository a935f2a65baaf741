import type { Span, Spanned } from "../diagnostics/span.js";
import { type BoundsShape, type RangeShape, boundsMembers, range } from "./bounds-shape.js";
import {
  type Decoder,
  type Named,
  boolean,
  listOf,
  namedBy,
  needed,
  optional,
  record,
  text,
  word,
} from "./decode.js";
import { type JsonData, toJson } from "./json-node.js";
import { foreignName, tokenName, typeName } from "./names.js";

/** Whether a member may be absent, or null. */
export type Presence = "required" | "omitted" | "nullable";

/** One member of a struct or of a union's variant. */
export interface FieldShape extends BoundsShape {
  readonly span: Span;
  readonly type?: Spanned<string> | undefined;
  readonly const?: Spanned<JsonData> | undefined;
  readonly presence?: Spanned<Presence> | undefined;
  readonly default?: Spanned<JsonData> | undefined;
  readonly doc?: Spanned<string> | undefined;
  readonly sensitive?: Spanned<boolean> | undefined;
}

/** A rule between members. */
export interface InvariantShape {
  readonly span: Span;
  readonly id: Spanned<string>;
  readonly rule: Spanned<string>;
  readonly doc: Spanned<string>;
}

/** One variant of a union. */
export interface VariantShape {
  readonly span: Span;
  readonly doc?: Spanned<string> | undefined;
  readonly fields?: readonly Named<FieldShape>[] | undefined;
  readonly invariants?: readonly InvariantShape[] | undefined;
}

/** A named type, as written. */
export type TypeShape =
  | NewtypeShape
  | (EnumShape & { readonly kind: "enum" })
  | (StructShape & { readonly kind: "struct" })
  | (UnionShape & { readonly kind: "union" });

/** A nominal type over another. */
export interface NewtypeShape extends BoundsShape {
  readonly kind: "newtype";
  readonly span: Span;
  readonly newtype: Spanned<string>;
  readonly doc: Spanned<string>;
  readonly sensitive?: Spanned<boolean> | undefined;
}

interface EnumShape {
  readonly span: Span;
  readonly enum: readonly Named<Spanned<string>>[];
  readonly doc: Spanned<string>;
}

interface StructShape {
  readonly span: Span;
  readonly struct: readonly Named<FieldShape>[];
  readonly bytes?: RangeShape | undefined;
  readonly invariants?: readonly InvariantShape[] | undefined;
  readonly doc: Spanned<string>;
}

interface UnionShape {
  readonly span: Span;
  readonly union: Spanned<string>;
  readonly variants: readonly Named<VariantShape>[];
  readonly bytes?: RangeShape | undefined;
  readonly doc: Spanned<string>;
}

const json: Decoder<Spanned<JsonData>> = (node) => ({ value: toJson(node), span: node.span });

const fieldRecord: Decoder<FieldShape> = record("a field", {
  type: optional(text),
  const: optional(json),
  presence: optional(word<Presence>("presence", ["required", "omitted", "nullable"])),
  default: optional(json),
  doc: optional(text),
  sensitive: optional(boolean),
  ...boundsMembers,
});

/** A field; a bare text is short for its type. */
const field: Decoder<FieldShape> = (node, sink) => {
  if (node.kind === "scalar") {
    const type = text(node, sink);
    return type === undefined ? undefined : { span: node.span, type };
  }
  const shape = fieldRecord(node, sink);
  if (shape === undefined) return undefined;
  if ((shape.type === undefined) !== (shape.const === undefined)) return shape;
  sink.report("ESS-SHAPE-006", node.span, "a field has either a type or a const");
  return undefined;
};

/** The fields of a struct or a variant, by name. */
export const fields: Decoder<readonly Named<FieldShape>[]> = namedBy("fields", foreignName, field);

const invariants: Decoder<readonly InvariantShape[]> = listOf(
  "invariants",
  record("an invariant", { id: needed(text), rule: needed(text), doc: needed(text) }),
);

const newtype = record("a newtype", {
  newtype: needed(text),
  doc: needed(text),
  sensitive: optional(boolean),
  ...boundsMembers,
});

const enumeration = record("an enum", {
  enum: needed(namedBy("an enum", tokenName, text)),
  doc: needed(text),
});

const struct = record("a struct", {
  struct: needed(fields),
  bytes: optional(range),
  invariants: optional(invariants),
  doc: needed(text),
});

const union = record("a union", {
  union: needed(text),
  variants: needed(
    namedBy(
      "variants",
      tokenName,
      record("a variant", {
        doc: optional(text),
        fields: optional(fields),
        invariants: optional(invariants),
      }),
    ),
  ),
  bytes: optional(range),
  doc: needed(text),
});

const typeKinds = ["newtype", "enum", "struct", "union"] as const;

const type: Decoder<TypeShape> = (node, sink) => {
  const kinds = node.kind === "map" ? typeKinds.filter((kind) => hasKey(node, kind)) : [];
  const [kind, other] = kinds;
  if (kind === undefined || other !== undefined) {
    sink.report("ESS-SHAPE-006", node.span, `a type is one of ${typeKinds.join(", ")}`);
    return undefined;
  }
  switch (kind) {
    case "newtype":
      return tagged("newtype", newtype(node, sink));
    case "enum":
      return tagged("enum", enumeration(node, sink));
    case "struct":
      return tagged("struct", struct(node, sink));
    case "union":
      return tagged("union", union(node, sink));
  }
};

/** The types of a domain, by name. */
export const types: Decoder<readonly Named<TypeShape>[]> = namedBy("types", typeName, type);

function hasKey(node: { readonly entries: readonly { readonly key: string }[] }, key: string) {
  return node.entries.some((entry) => entry.key === key);
}

function tagged<K extends string, T extends object>(
  kind: K,
  shape: T | undefined,
): (T & { readonly kind: K }) | undefined {
  return shape === undefined ? undefined : { ...shape, kind };
}
