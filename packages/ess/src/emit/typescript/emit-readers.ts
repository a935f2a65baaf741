import { camelCase, pascalCase } from "../../ir/naming.js";
import { underlying } from "../../ir/rule-paths.js";
import type {
  BoundsIr,
  EnumIr,
  FieldIr,
  NewtypeIr,
  Primitive,
  TypeExpressionIr,
  TypeIr,
  UnionIr,
} from "../../ir/type-ir.js";
import { unbounded } from "../../ir/type-ir.js";
import { boundChecks, itemBounds, refusal } from "./bound-checks.js";
import { codecLines } from "./emit-codecs.js";
import { recordReader } from "./emit-record-reader.js";
import type { FileScope } from "./file-scope.js";
import { fold, quote } from "./text.js";
import { typeText } from "./type-text.js";

/** The validator of a type: its reader, which other readers call, and its `parse` function. */
export function readerLines(scope: FileScope, type: TypeIr): readonly string[] {
  const parse = `parse${type.name}`;
  scope.offer("value", parse);
  const parsed = scope.supportType("Parsed");
  return [
    ...readerOf(scope, type),
    "",
    `/** The value as {@link ${type.name}}, or every reason why it is none. */`,
    `export function ${parse}(value: unknown): ${parsed}<${type.name}> {`,
    `  return ${scope.support("parseWith")}(value, read${type.name});`,
    "}",
    ...codecLines(scope, type),
  ];
}

function readerOf(scope: FileScope, type: TypeIr): readonly string[] {
  switch (type.kind) {
    case "newtype":
      return newtypeReader(scope, type);
    case "enum":
      return enumReader(scope, type);
    case "struct":
      return recordReader(scope, {
        name: type.name,
        tag: undefined,
        fields: type.fields,
        invariants: type.invariants,
        bytes: type.bytes,
        fieldReader: (field) => fieldReader(scope, type.name, field),
      });
    case "union":
      return unionReader(scope, type);
  }
}

/** What reads a member: the name of a reader, and the lines that define it if it is its own. */
export interface FieldReader {
  readonly name: string;
  readonly lines: readonly string[];
}

function fieldReader(scope: FileScope, owner: string, field: FieldIr): FieldReader {
  if (isPlain(field.bounds)) {
    const shared = sharedReader(scope, field.type);
    if (shared !== undefined) return { name: shared, lines: [] };
  }
  const name = `read${owner}${pascalCase(field.name)}`;
  const type = typeText(scope, field.type);
  return { name, lines: [...readerBody(scope, name, field.type, field.bounds, type), ""] };
}

function newtypeReader(scope: FileScope, type: NewtypeIr): readonly string[] {
  const name = `read${type.name}`;
  return readerBody(scope, name, type.of, type.bounds, type.name, "export ");
}

// The function `name`, which reads `type` and narrows it to `bounds`.
function readerBody(
  scope: FileScope,
  name: string,
  type: TypeExpressionIr,
  bounds: BoundsIr,
  result: string,
  modifier = "",
): readonly string[] {
  const constants: string[] = [];
  const { subject, read } = readExpression(scope, type, bounds);
  const base = underlying(scope.ir, type);
  const primitive = base.kind === "primitive" ? base.name : undefined;
  const checks = boundChecks(
    scope,
    bounds,
    subject,
    {
      name: name.replace(/^read/, ""),
      isBytes: primitive === "Bytes",
      isBigint: primitive === "Int64",
    },
    constants,
  );
  const invalid = scope.support("invalid");
  const signature = `${name}(value: unknown, at: ${scope.supportType("Reading")})`;
  const cast = result === typeText(scope, type) ? "" : ` as ${result}`;
  return [
    ...constants,
    ...(constants.length > 0 ? [""] : []),
    `${modifier}function ${signature}: ${result} | ${scope.supportType("Invalid")} {`,
    ...(checks.length === 0 && cast === ""
      ? [`  return ${read};`]
      : [
          `  const ${subject} = ${read};`,
          `  if (${subject} === ${invalid}) return ${invalid};`,
          ...checks,
          `  return ${subject}${cast};`,
        ]),
    "}",
  ];
}

function readExpression(
  scope: FileScope,
  type: TypeExpressionIr,
  bounds: BoundsIr,
): { readonly subject: string; readonly read: string } {
  switch (type.kind) {
    case "list": {
      const items = `${readerExpression(scope, type.of)}${itemBounds(scope, bounds.items)}`;
      return { subject: "items", read: `${scope.support("readList")}(value, at, ${items})` };
    }
    case "map": {
      const key = readerExpression(scope, type.key);
      const items = `${readerExpression(scope, type.of)}${itemBounds(scope, bounds.items)}`;
      const read = `${scope.support("readMap")}(value, at, ${key}, ${items})`;
      return { subject: "entries", read };
    }
    case "const": {
      const literal = typeof type.value === "string" ? quote(type.value) : String(type.value);
      const message = quote(`must be ${JSON.stringify(type.value)}`);
      const read = `value === ${literal} ? ${literal} : ${refusal(scope, "const", message)}`;
      return { subject: "constant", read };
    }
    case "primitive":
    case "named": {
      const read = `${readerExpression(scope, type)}(value, at)`;
      return { subject: subjectOf(underlying(scope.ir, type)), read };
    }
  }
}

// A reader that can be passed on: by name where there is one, else a small function.
function readerExpression(scope: FileScope, type: TypeExpressionIr): string {
  const shared = sharedReader(scope, type);
  if (shared !== undefined) return shared;
  const { read } = readExpression(scope, type, unbounded);
  return `(value, at) => ${read}`;
}

function sharedReader(scope: FileScope, type: TypeExpressionIr): string | undefined {
  if (type.kind === "primitive") return scope.support(`read${type.name}`);
  if (type.kind === "named") return scope.value(type.domain, `read${type.name}`);
  return undefined;
}

function subjectOf(type: TypeExpressionIr): string {
  if (type.kind !== "primitive") return type.kind === "list" ? "items" : "result";
  const words: Partial<Record<Primitive, string>> = { String: "text", Uuid: "text", Bytes: "text" };
  return words[type.name] ?? "result";
}

function enumReader(scope: FileScope, type: EnumIr): readonly string[] {
  const words = type.values.map(({ value }) => value);
  const message =
    words.length > 12 ? "must be one of the known words" : `must be one of ${words.join(", ")}`;
  const signature = `read${type.name}(value: unknown, at: ${scope.supportType("Reading")})`;
  return [
    `export function ${signature}: ${type.name} | ${scope.supportType("Invalid")} {`,
    `  if (is${type.name}(value)) return value;`,
    ...fold(`return ${scope.support("refuse")}(`, ["at", '"enum"', quote(message)], ");", "  "),
    "}",
  ];
}

function unionReader(scope: FileScope, type: UnionIr): readonly string[] {
  const variants = type.variants.flatMap((variant) => [
    ...recordReader(scope, {
      name: variant.name,
      tag: { name: type.tag, value: variant.tag },
      fields: variant.fields,
      invariants: variant.invariants,
      bytes: type.bytes,
      fieldReader: (field) => fieldReader(scope, variant.name, field),
    }),
    "",
  ]);
  const invalid = scope.support("invalid");
  const signature = `read${type.name}(value: unknown, at: ${scope.supportType("Reading")})`;
  const known = `${camelCase(type.name)}Tags`;
  return [
    ...variants,
    ...fold(
      `const ${known} = [`,
      type.variants.map(({ tag }) => quote(tag)),
      "] as const;",
    ),
    "",
    `export function ${signature}: ${type.name} | ${scope.supportType("Invalid")} {`,
    `  const tag = ${scope.support("readTag")}(value, at, ${quote(type.tag)}, ${known});`,
    `  if (tag === ${invalid}) return ${invalid};`,
    "  switch (tag) {",
    ...type.variants.flatMap((variant) => [
      `    case ${quote(variant.tag)}:`,
      `      return read${variant.name}(value, at);`,
    ]),
    "  }",
    "}",
  ];
}

function isPlain(bounds: BoundsIr): boolean {
  return Object.values(bounds).every((bound) => bound === undefined || bound === false);
}
