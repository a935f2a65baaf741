import type { TypeName } from "../../ir/ir.js";
import type { Primitive, TypeExpressionIr } from "../../ir/type-ir.js";
import type { JsonData } from "../../shape/json-node.js";

/** A JSON object. */
export type Json = { readonly [member: string]: JsonData };

const largest = Number.MAX_SAFE_INTEGER;

const primitives: Readonly<Record<Primitive, Json>> = {
  String: { type: "string" },
  Boolean: { type: "boolean" },
  Integer: { type: "integer", minimum: -largest, maximum: largest },
  Int64: { type: "string", pattern: "^(?:0|-?[1-9][0-9]{0,18})$", "x-ess-int64": true },
  Timestamp: { type: "integer", minimum: 0, maximum: largest },
  Duration: { type: "integer", minimum: 0, maximum: largest },
  Uuid: {
    type: "string",
    pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  },
  Bytes: {
    type: "string",
    pattern: "^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$",
  },
  Json: {},
};

/** The schema of a type where it is used, without bounds. */
export function expressionSchema(type: TypeExpressionIr, refer: (type: TypeName) => string): Json {
  switch (type.kind) {
    case "primitive":
      return primitives[type.name];
    case "named":
      return { $ref: refer(type) };
    case "list":
      return { type: "array", items: expressionSchema(type.of, refer) };
    case "map":
      return {
        type: "object",
        propertyNames: expressionSchema(type.key, refer),
        additionalProperties: expressionSchema(type.of, refer),
      };
    case "const":
      return { const: type.value };
  }
}
