import type { FieldIr, Primitive, TypeExpressionIr } from "../../ir/type-ir.js";
import type { FileScope } from "./file-scope.js";
import { memberKey, quote, tsDoc } from "./text.js";

const primitives: Readonly<Record<Primitive, string>> = {
  String: "string",
  Boolean: "boolean",
  Integer: "number",
  Int64: "bigint",
  Timestamp: "number",
  Duration: "number",
  Uuid: "string",
  Bytes: "string",
  Json: "JsonValue",
};

/** A type where it is used, as TypeScript. */
export function typeText(scope: FileScope, type: TypeExpressionIr): string {
  switch (type.kind) {
    case "primitive":
      return type.name === "Json" ? scope.supportType("JsonValue") : primitives[type.name];
    case "named":
      return scope.type(type.domain, type.name);
    case "list":
      return `readonly ${parenthesized(typeText(scope, type.of))}[]`;
    case "map":
      return `Readonly<Record<string, ${typeText(scope, type.of)}>>`;
    case "const":
      return typeof type.value === "string" ? quote(type.value) : String(type.value);
  }
}

/** The members of an interface. */
export function memberLines(scope: FileScope, fields: readonly FieldIr[]): readonly string[] {
  return fields.flatMap((field) => {
    const optional = field.presence === "omitted" ? "?" : "";
    const nullable = field.presence === "nullable" ? " | null" : "";
    const type = `${typeText(scope, field.type)}${nullable}`;
    return [...tsDoc(field.doc, "  "), `  readonly ${memberKey(field.name)}${optional}: ${type};`];
  });
}

function parenthesized(text: string): string {
  return text.startsWith("readonly ") || text.includes(" | ") ? `(${text})` : text;
}
