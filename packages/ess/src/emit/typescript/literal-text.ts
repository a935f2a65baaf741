import type { JsonData } from "../../shape/json-node.js";
import { integerLiteral, memberKey, quote } from "./text.js";

/** A JSON value as a TypeScript literal, in as few lines as its width allows. */
export function literalText(value: JsonData, indent: string): string {
  const flat = flatText(value);
  if (flat.length + indent.length <= 96 || typeof value !== "object" || value === null) return flat;
  const deeper = `${indent}  `;
  if (isList(value)) {
    const items = value.map((item) => `${deeper}${literalText(item, deeper)},`);
    return ["[", ...items, `${indent}]`].join("\n");
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${deeper}${memberKey(name)}: ${literalText(member, deeper)},`,
  );
  return ["{", ...members, `${indent}}`].join("\n");
}

function flatText(value: JsonData): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" && Number.isInteger(value)) return integerLiteral(value);
  if (typeof value === "bigint") return `${integerLiteral(value)}n`;
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) return `[${value.map(flatText).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${memberKey(name)}: ${flatText(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function isList(value: JsonData): value is readonly JsonData[] {
  return Array.isArray(value);
}
