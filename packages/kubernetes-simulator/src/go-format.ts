import { isJsonArray, isJsonObject, type JsonValue } from "./json-value.js";

/** `value` as Go prints it with `%+v`: `map[a:1 b:[x y]]`, keys in order. */
export function describeGoValue(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (isJsonArray(value)) return `[${value.map(describeGoValue).join(" ")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .toSorted()
      .map((key) => `${key}:${describeGoValue(value[key] ?? null)}`);
    return `map[${members.join(" ")}]`;
  }
  return String(value);
}

/** What Go's decoder calls the kind of a JSON value. */
export function describeJsonKind(value: JsonValue): string {
  if (value === null) return "null";
  if (isJsonArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

/** `value` quoted as Go quotes it with `%q`, for text without unusual letters. */
export function quote(value: string): string {
  return JSON.stringify(value);
}

/** JSON as Go writes it: `<`, `>`, `&` and the line separators are escaped. */
export function encodeJson(value: unknown, pretty = false): string {
  return JSON.stringify(value, undefined, pretty ? 2 : undefined).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What Go's decoder says of `text`, which is not JSON. */
export function describeSyntaxError(text: string): string {
  const open = endsEarly(text);
  return open
    ? "unexpected end of JSON input"
    : "invalid character in JSON text looking for the next token";
}

// A text that stops in the middle of a value, as opposed to one with something wrong in it: closing
// what is open makes it JSON, or leaves it empty.
function endsEarly(text: string): boolean {
  const open: string[] = [];
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (inString) {
      if (letter === "\\") index += 1;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === "{" || letter === "[") open.push(letter);
    else if (letter === "}" || letter === "]") open.pop();
  }
  return inString || open.length > 0 || text.trim() === "";
}
