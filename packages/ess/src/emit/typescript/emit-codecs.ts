import { camelCase } from "../../ir/naming.js";
import type { TypeIr } from "../../ir/type-ir.js";
import { boundText } from "./bound-checks.js";
import type { FileScope } from "./file-scope.js";
import { integerLiteral } from "./text.js";

/** The canonical encoder of a struct or a union, and the constant of its bound. */
export function codecLines(scope: FileScope, type: TypeIr): readonly string[] {
  if (type.kind !== "struct" && type.kind !== "union") return [];
  const encode = `encodeCanonical${type.name}`;
  scope.offer("value", encode);
  const signature = `export function ${encode}(value: ${type.name}): string {`;
  const call = `${scope.support("canonicalJson")}(value)`;
  const bound = type.bytes?.max;
  if (bound === undefined) {
    return [
      "",
      `/** The RFC 8785 text of a {@link ${type.name}}. */`,
      signature,
      `  return ${call};`,
      "}",
    ];
  }
  const own = `${camelCase(type.name)}BytesMax`;
  const max = bound.limit === undefined ? own : boundText(scope, bound);
  const constant =
    bound.limit === undefined
      ? [
          `/** The most bytes of canonical JSON that a {@link ${type.name}} takes. */`,
          `export const ${own} = ${integerLiteral(bound.value)};`,
          "",
        ]
      : [];
  if (bound.limit === undefined) scope.offer("value", own);
  return [
    "",
    ...constant,
    `/** The RFC 8785 text of a {@link ${type.name}}; throws a RangeError past {@link ${max}}. */`,
    signature,
    `  const text = ${call};`,
    `  if (${scope.support("utf8Bytes")}(text) > ${max}) {`,
    `    throw new RangeError(\`${type.name} is at most \${${max}} bytes of canonical JSON\`);`,
    "  }",
    "  return text;",
    "}",
  ];
}
