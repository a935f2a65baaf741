import type { StructIr, TypeIr, UnionIr } from "../../ir/type-ir.js";
import { code, table } from "./markdown-text.js";
import { type Page, boundsText, fieldRows, typeLink } from "./page.js";

/** The section of one type. */
export function typeSection(page: Page, type: TypeIr, users: readonly string[]): readonly string[] {
  const usedBy = users.length === 0 ? [] : [`Used by ${users.map(code).join(", ")}.`, ""];
  return [`### ${type.name}`, "", type.doc, "", ...typeBody(page, type), ...usedBy];
}

function typeBody(page: Page, type: TypeIr): readonly string[] {
  switch (type.kind) {
    case "newtype": {
      const bounds = boundsText(type.bounds);
      const sensitive = type.sensitive ? "; sensitive" : "";
      return [`${typeLink(page, type.of)}${bounds === "" ? "" : `: ${bounds}`}${sensitive}`, ""];
    }
    case "enum":
      return table(
        ["value", "meaning"],
        type.values.map(({ value, doc }) => [code(value), doc]),
      );
    case "struct":
      return structBody(page, type);
    case "union":
      return unionBody(page, type);
  }
}

const fieldHead = ["member", "type", "rules", "meaning"];

function structBody(page: Page, type: StructIr): readonly string[] {
  return [
    ...table(fieldHead, fieldRows(page, type.fields)),
    ...invariantLines(type.invariants),
    ...sizeLines(type),
  ];
}

function unionBody(page: Page, type: UnionIr): readonly string[] {
  const variants = type.variants.flatMap((variant) => [
    `**${code(variant.tag)}** ${variant.doc}`.trim(),
    "",
    ...table(fieldHead, fieldRows(page, variant.fields)),
    ...invariantLines(variant.invariants),
  ]);
  return [
    `The member ${code(type.tag)} says which of these it is:`,
    "",
    ...variants,
    ...sizeLines(type),
  ];
}

function invariantLines(invariants: StructIr["invariants"]): readonly string[] {
  return table(
    ["rule", "must hold", "meaning"],
    invariants.map(({ id, text, doc }) => [code(id), code(text), doc]),
  );
}

function sizeLines({ bytes }: StructIr | UnionIr): readonly string[] {
  if (bytes?.max === undefined) return [];
  return [`At most ${bytes.max.value} bytes of canonical JSON.`, ""];
}
