import type { JsonData } from "../../shape/json-node.js";
import { memberKey, quote } from "../typescript/text.js";

/** A value as TypeScript in one line, where long runs of the same are written as such. */
export function valueText(value: JsonData): string {
  if (typeof value === "string") return textText(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return listText(value);
  const members = Object.entries(value).map(([name, member]) => {
    // As a plain key this name would set the prototype.
    const key = name === "__proto__" ? '["__proto__"]' : memberKey(name);
    return `${key}: ${valueText(member)}`;
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function textText(text: string): string {
  if (text.length < 48) return quote(text);
  const run = /^(?<head>.{0,40}?)(?<unit>[^]|[\ud800-\udbff][\udc00-\udfff])\k<unit>{15,}/su.exec(
    text,
  );
  const { head, unit } = run?.groups ?? {};
  if (run === null || head === undefined || unit === undefined) return quote(text);
  const count = (run[0].length - head.length) / unit.length;
  const rest = text.slice(run[0].length);
  const parts = [
    ...(head === "" ? [] : [quote(head)]),
    `${quote(unit)}.repeat(${count})`,
    ...(rest === "" ? [] : [textText(rest)]),
  ];
  return parts.join(" + ");
}

function listText(items: readonly JsonData[]): string {
  const texts = items.map(valueText);
  const [first = ""] = texts;
  if (items.length > 3 && texts.every((text) => text === first)) {
    return `Array.from({ length: ${items.length} }, () => ${parenthesized(first)})`;
  }
  const numbered = items.every((item, index) => item === `n${String(index).padStart(4, "0")}`);
  if (items.length > 3 && numbered) return `numbered(${items.length})`;
  return `[${texts.join(", ")}]`;
}

function parenthesized(text: string): string {
  return text.startsWith("{") ? `(${text})` : text;
}
