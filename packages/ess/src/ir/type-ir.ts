import type { JsonData } from "../shape/json-node.js";
import type { RuleIr } from "./rule-ir.js";

/** The names of the built-in types. */
export const primitiveNames = [
  "String",
  "Boolean",
  "Integer",
  "Int64",
  "Timestamp",
  "Duration",
  "Uuid",
  "Bytes",
  "Json",
] as const;

/** A built-in type. */
export type Primitive = (typeof primitiveNames)[number];

/** A type where it is used. */
export type TypeExpressionIr =
  | { readonly kind: "primitive"; readonly name: Primitive }
  | { readonly kind: "named"; readonly domain: string; readonly name: string }
  | { readonly kind: "list"; readonly of: TypeExpressionIr }
  | { readonly kind: "map"; readonly key: TypeExpressionIr; readonly of: TypeExpressionIr }
  | { readonly kind: "const"; readonly value: string | number | boolean };

/** A number, and the limit it came from if it did. */
export interface BoundIr {
  readonly value: number | bigint;
  readonly limit: { readonly domain: string; readonly name: string } | undefined;
}

/** Both ends inclusive. */
export interface RangeIr {
  readonly min: BoundIr | undefined;
  readonly max: BoundIr | undefined;
}

/** Everything that narrows a type where it is used. */
export interface BoundsIr {
  readonly min: BoundIr | undefined;
  readonly max: BoundIr | undefined;
  readonly length: RangeIr | undefined;
  readonly bytes: RangeIr | undefined;
  readonly pattern: string | undefined;
  readonly alphabet: string | undefined;
  readonly items: RangeIr | undefined;
  /** UTF-8 bytes of all items of a list of texts together. */
  readonly totalBytes: RangeIr | undefined;
  readonly distinct: boolean;
  readonly sorted: boolean;
}

/** One member of a struct or of a union's variant. */
export interface FieldIr {
  readonly name: string;
  readonly type: TypeExpressionIr;
  readonly presence: "required" | "omitted" | "nullable";
  readonly bounds: BoundsIr;
  /** What an absent member stands for; told to readers, never filled in. */
  readonly default: JsonData | undefined;
  readonly sensitive: boolean;
  readonly doc: string;
}

/** A rule between members. */
export interface InvariantIr {
  readonly id: string;
  readonly text: string;
  readonly rule: RuleIr;
  readonly doc: string;
}

/** A named type. */
export type TypeIr = NewtypeIr | EnumIr | StructIr | UnionIr;

/** A nominal type over another. */
export interface NewtypeIr {
  readonly kind: "newtype";
  readonly name: string;
  readonly doc: string;
  readonly of: TypeExpressionIr;
  readonly bounds: BoundsIr;
  readonly sensitive: boolean;
}

/** A closed set of words. */
export interface EnumIr {
  readonly kind: "enum";
  readonly name: string;
  readonly doc: string;
  readonly values: readonly { readonly value: string; readonly doc: string }[];
  /** What the words were derived from, when no one wrote them as an enum. */
  readonly derived: "states" | "events" | "errors" | undefined;
}

/** A closed record. */
export interface StructIr {
  readonly kind: "struct";
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly FieldIr[];
  readonly bytes: RangeIr | undefined;
  readonly invariants: readonly InvariantIr[];
}

/** One variant of a union: a closed record with the tag. */
export interface VariantIr {
  readonly tag: string;
  /** The name of the variant's own type. */
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly FieldIr[];
  readonly invariants: readonly InvariantIr[];
}

/** Records told apart by the word in one member. */
export interface UnionIr {
  readonly kind: "union";
  readonly name: string;
  readonly doc: string;
  readonly tag: string;
  readonly variants: readonly VariantIr[];
  readonly bytes: RangeIr | undefined;
}

/** Bounds that bound nothing. */
export const unbounded: BoundsIr = {
  min: undefined,
  max: undefined,
  length: undefined,
  bytes: undefined,
  pattern: undefined,
  alphabet: undefined,
  items: undefined,
  totalBytes: undefined,
  distinct: false,
  sorted: false,
};
