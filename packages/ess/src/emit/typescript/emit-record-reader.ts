import { camelCase } from "../../ir/naming.js";
import { localName } from "./local-name.js";
import type { FieldIr, InvariantIr, RangeIr } from "../../ir/type-ir.js";
import { boundText, refusal } from "./bound-checks.js";
import type { FieldReader } from "./emit-readers.js";
import type { FileScope } from "./file-scope.js";
import { ruleText } from "./rule-text.js";
import { fold, memberKey, quote } from "./text.js";

/** A closed record to be read: a struct, or a union's variant with its tag. */
export interface RecordPlan {
  readonly name: string;
  readonly tag: { readonly name: string; readonly value: string } | undefined;
  readonly fields: readonly FieldIr[];
  readonly invariants: readonly InvariantIr[];
  readonly bytes: RangeIr | undefined;
  readonly fieldReader: (field: FieldIr) => FieldReader;
}

/** The reader of a closed record. */
export function recordReader(scope: FileScope, plan: RecordPlan): readonly string[] {
  const { name, tag, fields } = plan;
  const invalid = scope.support("invalid");
  const known = `${camelCase(name)}Members`;
  const names = [...(tag === undefined ? [] : [tag.name]), ...fields.map((field) => field.name)];
  const readers = fields.map((field) => ({ field, reader: plan.fieldReader(field) }));
  const signature = `read${name}(value: unknown, at: ${scope.supportType("Reading")})`;
  const locals = fields.map((field) => localName(field.name));
  return [
    ...readers.flatMap(({ reader }) => reader.lines),
    ...fold(`const ${known}: ReadonlySet<string> = new Set([`, names.map(quote), "]);"),
    "",
    `export function ${signature}: ${name} | ${scope.supportType("Invalid")} {`,
    `  const members = ${scope.support("readMembers")}(value, at, ${known});`,
    `  if (members === ${invalid}) return ${invalid};`,
    ...readers.map(({ field, reader }) => memberLine(scope, field, reader.name)),
    ...guardLines(locals, invalid),
    ...resultLines(scope, plan),
    "}",
  ];
}

function memberLine(scope: FileScope, field: FieldIr, reader: string): string {
  const read = {
    required: "readRequired",
    omitted: "readOmittable",
    nullable: "readNullable",
  }[field.presence];
  const call = `${scope.support(read)}(members, ${quote(field.name)}, at, ${reader})`;
  return `  const ${localName(field.name)} = ${call};`;
}

function guardLines(locals: readonly string[], invalid: string): readonly string[] {
  if (locals.length === 0) return [];
  const tests = locals.map((local) => `${local} === ${invalid}`);
  const flat = `  if (${tests.join(" || ")}) return ${invalid};`;
  if (flat.length <= 100) return [flat];
  const lines = tests.map((test, index) => `    ${test}${index < tests.length - 1 ? " ||" : ""}`);
  return ["  if (", ...lines, "  ) {", `    return ${invalid};`, "  }"];
}

function resultLines(scope: FileScope, plan: RecordPlan): readonly string[] {
  const { tag, fields, invariants, bytes } = plan;
  const items = [
    ...(tag === undefined ? [] : [`${memberKey(tag.name)}: ${quote(tag.value)}`]),
    ...fields.map((field) => resultItem(field)),
  ];
  if (items.length === 0) return ["  return {};"];
  if (invariants.length === 0 && bytes === undefined) {
    return fold("return { ", items, " };", "  ");
  }
  const checks = invariants.map((invariant) => {
    const test = ruleText(scope, fields, invariant.rule, "result");
    const call = refusal(scope, invariant.id, quote(invariant.doc));
    const flat = `  if (!(${test})) ${call};`;
    return flat.length <= 100 ? flat : `  if (!(${test})) {\n    ${call};\n  }`;
  });
  return [
    ...fold(`const result: ${plan.name} = { `, items, " };", "  "),
    ...checks,
    ...sizeLines(scope, bytes),
    "  return result;",
  ];
}

function sizeLines(scope: FileScope, bytes: RangeIr | undefined): readonly string[] {
  if (bytes?.max === undefined) return [];
  const max = boundText(scope, bytes.max);
  const size = `${scope.support("utf8Bytes")}(${scope.support("canonicalJson")}(result))`;
  const message = `\`must be at most \${${max}} bytes of canonical JSON\``;
  const text =
    bytes.max.limit === undefined
      ? quote(`must be at most ${bytes.max.value} bytes of canonical JSON`)
      : message;
  return [`  if (${size} > ${max}) ${refusal(scope, "bytes_max", text)};`];
}

function resultItem(field: FieldIr): string {
  const local = localName(field.name);
  const key = memberKey(field.name);
  const item = key === local ? local : `${key}: ${local}`;
  return field.presence === "omitted" ? `...(${local} === undefined ? {} : { ${item} })` : item;
}
