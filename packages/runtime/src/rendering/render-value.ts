import { utf8Bytes } from "@connectors/domain";
import type { Json } from "@connectors/sdk";
import { ownText, quoteText, type PrintableText } from "./printable-text.js";

const indent = "  ";
const nameWidth = 18;

/** What stands after a line in which a code point had to be written out. */
export const escapeMark = "  <-- holds unusual characters, written as \\u{...}";

/** One line with a name and a text that shows itself; marked when some of it was written out. */
export function renderField(
  depth: number,
  name: string,
  shown: PrintableText,
  after: string = "",
): string {
  const label = quoteName(name);
  const width = nameWidth - depth * indent.length;
  const line = `${indent.repeat(depth)}${label.text.padEnd(width)} ${shown.text}`.trimEnd();
  return line + after + (label.escaped || shown.escaped ? escapeMark : "");
}

/**
 * The lines of a named value, with nothing of it left out.
 *
 * Elements of a list are numbered from 1, one a line, each quoted and with its length in bytes, so
 * that no element can look like two, or like none.
 */
export function renderValue(
  depth: number,
  name: string,
  value: Json,
  after: string = "",
): readonly string[] {
  if (isList(value)) {
    const count = value.length === 1 ? "1 element" : `${value.length} elements`;
    return [
      renderField(depth, name, ownText(count), after),
      ...value.flatMap((item, at) => renderItem(depth + 1, at + 1, item)),
    ];
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    const count = members.length === 1 ? "1 member" : `${members.length} members`;
    return [
      renderField(depth, name, ownText(count), after),
      ...members.flatMap(([member, inner]) => renderValue(depth + 1, member, inner)),
    ];
  }
  const shown = typeof value === "string" ? quoteText(value) : ownText(`${value}`);
  return [renderField(depth, name, shown, after)];
}

function renderItem(depth: number, number: number, item: Json): readonly string[] {
  if (typeof item !== "string") return renderValue(depth, `${number}`, item);
  const bytes = utf8Bytes(item);
  const { text, escaped } = quoteText(item);
  const length = bytes === 1 ? "(1 byte)" : `(${bytes} bytes)`;
  const line = `${indent.repeat(depth)}${`${number}`.padStart(3)}  ${text}  ${length}`;
  return [escaped ? line + escapeMark : line];
}

// A member's name is foreign text: the approver's own model may never have accepted it.
function quoteName(name: string): PrintableText {
  return /^[A-Za-z0-9_ ]{1,64}$/.test(name) ? ownText(name) : quoteText(name);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
