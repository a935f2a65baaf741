import { camelCase } from "../../ir/naming.js";
import type { EnumIr, StructIr, TypeIr, UnionIr } from "../../ir/type-ir.js";
import type { FileScope } from "./file-scope.js";
import { fold, quote, tsDoc } from "./text.js";
import { memberLines, typeText } from "./type-text.js";

/** The declaration of a type, without its validator. */
export function typeLines(scope: FileScope, type: TypeIr): readonly string[] {
  scope.offer("type", type.name);
  switch (type.kind) {
    case "newtype": {
      const base = typeText(scope, type.of);
      const brand = `${scope.supportType("Brand")}<${base}, ${quote(type.name)}>`;
      return [...tsDoc(type.doc), `export type ${type.name} = ${brand};`];
    }
    case "enum":
      return enumLines(scope, type);
    case "struct":
      return interfaceLines(scope, type);
    case "union":
      return unionLines(scope, type);
  }
}

function enumLines(scope: FileScope, type: EnumIr): readonly string[] {
  const words = type.values.map(({ value }) => quote(value));
  const values = `${camelCase(type.name)}Values`;
  scope.offer("value", values, `is${type.name}`);
  const members = type.values.flatMap(({ value, doc }) => [
    ...tsDoc(doc, "  "),
    `  | ${quote(value)}`,
  ]);
  return [
    ...tsDoc(type.doc),
    `export type ${type.name} =`,
    ...members.slice(0, -1),
    `${members.at(-1) ?? "  never"};`,
    "",
    `/** Every {@link ${type.name}}, in the model's order. */`,
    ...fold(`export const ${values}: readonly ${type.name}[] = [`, words, "];"),
    "",
    `/** True when \`value\` is a {@link ${type.name}}. */`,
    `export function is${type.name}(value: unknown): value is ${type.name} {`,
    `  return (${values} as readonly unknown[]).includes(value);`,
    "}",
  ];
}

function interfaceLines(scope: FileScope, type: StructIr): readonly string[] {
  return [
    ...tsDoc(type.doc),
    `export interface ${type.name} {`,
    ...memberLines(scope, type.fields),
    "}",
  ];
}

function unionLines(scope: FileScope, type: UnionIr): readonly string[] {
  const variants = type.variants.flatMap((variant) => {
    scope.offer("type", variant.name);
    return [
      ...tsDoc(variant.doc === "" ? `${type.name} of kind ${variant.tag}.` : variant.doc),
      `export interface ${variant.name} {`,
      `  readonly ${type.tag}: ${quote(variant.tag)};`,
      ...memberLines(scope, variant.fields),
      "}",
      "",
    ];
  });
  const names = type.variants.map(({ name }) => name);
  return [
    ...variants,
    ...tsDoc(type.doc),
    `export type ${type.name} =`,
    ...names.map((name, index) => `  | ${name}${index === names.length - 1 ? ";" : ""}`),
  ];
}
