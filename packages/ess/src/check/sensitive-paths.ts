import { type SystemIr, typeOf } from "../ir/ir.js";
import type { FieldIr, TypeExpressionIr } from "../ir/type-ir.js";
import { type JsonData, isJsonRecord } from "../shape/json-node.js";

/** Where `value` gives something that its type calls sensitive. */
export function sensitivePaths(
  ir: SystemIr,
  type: TypeExpressionIr,
  value: JsonData,
  path = "",
): readonly string[] {
  if (type.kind === "list" && Array.isArray(value)) {
    return value.flatMap((item: JsonData, at) =>
      sensitivePaths(ir, type.of, item, `${path}/${at}`),
    );
  }
  if (type.kind === "map" && isJsonRecord(value)) {
    return Object.entries(value).flatMap(([key, member]) =>
      sensitivePaths(ir, type.of, member, `${path}/${key}`),
    );
  }
  if (type.kind !== "named") return [];
  const named = typeOf(ir, type);
  if (named.kind === "newtype") {
    return named.sensitive ? [path] : sensitivePaths(ir, named.of, value, path);
  }
  if (named.kind === "enum" || !isJsonRecord(value)) return [];
  const fields =
    named.kind === "struct"
      ? named.fields
      : (named.variants.find(({ tag }) => tag === value[named.tag])?.fields ?? []);
  return fields.flatMap((field) => memberPaths(ir, field, value, path));
}

function memberPaths(
  ir: SystemIr,
  field: FieldIr,
  value: Readonly<Record<string, JsonData>>,
  path: string,
): readonly string[] {
  const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
  if (member === undefined || member === null) return [];
  const at = `${path}/${field.name}`;
  return field.sensitive ? [at] : sensitivePaths(ir, field.type, member, at);
}
