import { type SystemIr, type TypeName, typeOf } from "../../ir/ir.js";
import type { FieldIr, InvariantIr, RangeIr, TypeIr } from "../../ir/type-ir.js";
import { underlying } from "../../ir/rule-paths.js";
import type { JsonData } from "../../shape/json-node.js";
import { boundKeywords } from "./bound-keywords.js";
import { type Json, expressionSchema } from "./expression-schema.js";

/**
 * The JSON Schema (2020-12) of a type, with everything that it refers to under `$defs`.
 * Rules that the standard cannot say stand under `x-ess-…` keywords.
 */
export function schemaOf(ir: SystemIr, name: TypeName): Json {
  const definitions = new Map<string, Json>();
  const pending: TypeName[] = [];
  const seen = new Set<string>([name.name]);
  const refer = (type: TypeName): string => {
    if (!seen.has(type.name)) {
      seen.add(type.name);
      pending.push(type);
    }
    return type.name === name.name ? "#" : `#/$defs/${type.name}`;
  };
  const root = typeSchema({ ir, refer }, typeOf(ir, name));
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    definitions.set(next.name, typeSchema({ ir, refer }, typeOf(ir, next)));
  }
  const sorted = [...definitions].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...root,
    ...(sorted.length === 0 ? {} : { $defs: Object.fromEntries(sorted) }),
  };
}

/** What a schema is made with. */
export interface SchemaContext {
  readonly ir: SystemIr;
  /** The reference to another type. */
  readonly refer: (type: TypeName) => string;
}

/** The schema of a type, with references where it names others. */
export function typeSchema(context: SchemaContext, type: TypeIr): Json {
  const description = { description: type.doc };
  switch (type.kind) {
    case "newtype":
      return {
        ...description,
        ...expressionSchema(type.of, context.refer),
        ...boundKeywords(type.bounds, underlying(context.ir, type.of)),
        ...(type.sensitive ? { "x-ess-sensitive": true } : {}),
      };
    case "enum":
      return { ...description, type: "string", enum: type.values.map(({ value }) => value) };
    case "struct":
      return {
        ...description,
        ...recordSchema(undefined, type.fields, type.invariants, context),
        ...sizeKeyword(type.bytes),
      };
    case "union":
      return {
        ...description,
        oneOf: type.variants.map((variant) => ({
          ...(variant.doc === "" ? {} : { description: variant.doc }),
          ...recordSchema(
            { name: type.tag, value: variant.tag },
            variant.fields,
            variant.invariants,
            context,
          ),
        })),
        ...sizeKeyword(type.bytes),
      };
  }
}

function recordSchema(
  tag: { readonly name: string; readonly value: string } | undefined,
  fields: readonly FieldIr[],
  invariants: readonly InvariantIr[],
  context: SchemaContext,
): Json {
  const tagProperty: readonly (readonly [string, JsonData])[] =
    tag === undefined ? [] : [[tag.name, { const: tag.value }]];
  const properties = fields.map((field) => [field.name, fieldSchema(field, context)] as const);
  const required = [
    ...(tag === undefined ? [] : [tag.name]),
    ...fields.filter(({ presence }) => presence !== "omitted").map(({ name }) => name),
  ];
  return {
    type: "object",
    properties: Object.fromEntries([...tagProperty, ...properties]),
    required,
    additionalProperties: false,
    ...(invariants.length === 0
      ? {}
      : { "x-ess-invariants": invariants.map(({ id, text }) => ({ id, rule: text })) }),
  };
}

function fieldSchema(field: FieldIr, context: SchemaContext): Json {
  const schema = {
    ...expressionSchema(field.type, context.refer),
    ...boundKeywords(field.bounds, underlying(context.ir, field.type)),
  };
  return {
    ...(field.doc === "" ? {} : { description: field.doc }),
    ...(field.presence === "nullable" ? { anyOf: [schema, { type: "null" }] } : schema),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.sensitive ? { "x-ess-sensitive": true } : {}),
  };
}

function sizeKeyword(bytes: RangeIr | undefined): Json {
  const max = bytes?.max;
  return max === undefined ? {} : { "x-ess-canonical-bytes-max": max.value };
}
