import { type SystemIr, domainOf } from "../../ir/ir.js";
import type { BoundIr, BoundsIr, FieldIr, RangeIr, TypeExpressionIr } from "../../ir/type-ir.js";
import { camelCase } from "../../ir/naming.js";
import { anchor, code } from "./markdown-text.js";

/** A page in the making: what its links are relative to. */
export interface Page {
  readonly ir: SystemIr;
  /** The name of the page's own domain. */
  readonly domain: string;
}

/** A type where it is used, linked to where it is declared. */
export function typeLink(page: Page, type: TypeExpressionIr): string {
  switch (type.kind) {
    case "primitive":
      return type.name;
    case "named": {
      const base = type.domain === page.domain ? "" : `${domainOf(page.ir, type.domain).base}.md`;
      return `[${type.name}](${base}#${anchor(type.name)})`;
    }
    case "list":
      return `list of ${typeLink(page, type.of)}`;
    case "map":
      return `map from ${typeLink(page, type.key)} to ${typeLink(page, type.of)}`;
    case "const":
      return code(JSON.stringify(type.value));
  }
}

/** The bounds in words. */
export function boundsText(bounds: BoundsIr): string {
  const parts = [
    rangeText({ min: bounds.min, max: bounds.max }, ""),
    rangeText(bounds.length, " characters"),
    rangeText(bounds.bytes, " bytes"),
    rangeText(bounds.items, " items"),
    rangeText(bounds.totalBytes, " bytes in all"),
    bounds.pattern === undefined ? "" : code(bounds.pattern),
    bounds.alphabet === undefined ? "" : `only ${code(bounds.alphabet)}`,
    bounds.distinct ? "distinct" : "",
    bounds.sorted ? "ascending" : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** The rows of a table of members. */
export function fieldRows(page: Page, fields: readonly FieldIr[]): readonly (readonly string[])[] {
  return fields.map((field) => {
    const notes = [
      boundsText(field.bounds),
      field.default === undefined ? "" : `default ${code(JSON.stringify(field.default))}`,
      field.sensitive ? "sensitive" : "",
    ].filter((note) => note !== "");
    const presence = { required: "", omitted: "may be left out", nullable: "may be null" };
    return [
      code(field.name),
      typeLink(page, field.type),
      [presence[field.presence], ...notes].filter((note) => note !== "").join("; "),
      field.doc,
    ];
  });
}

function rangeText(range: RangeIr | undefined, unit: string): string {
  const { min, max } = range ?? { min: undefined, max: undefined };
  if (min === undefined && max === undefined) return "";
  if (max === undefined) return `${boundText(min)} or more${unit}`;
  if (min === undefined) return `at most ${boundText(max)}${unit}`;
  return `${boundText(min)} to ${boundText(max)}${unit}`;
}

function boundText(bound: BoundIr | undefined): string {
  if (bound === undefined) return "";
  const { limit, value } = bound;
  return limit === undefined ? String(value) : `${value} (${code(camelCase(limit.name))})`;
}
