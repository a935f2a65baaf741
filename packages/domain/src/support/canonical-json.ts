import { isWellFormed } from "./text-size.js";

// A value deeper than this was not parsed by us: parsing stops at 64, and an envelope adds a few.
const depthMax = 256;

/**
 * The RFC 8785 text of `value`: members sorted by UTF-16 code unit, no white space, numbers in
 * their shortest form. A bigint becomes a decimal string, which is its form on the wire.
 *
 * Throws a `TypeError` for what JSON cannot carry (undefined, functions, symbols, non-finite
 * numbers, lone surrogates): digests are made from this text, so nothing is dropped or replaced.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > depthMax) throw new TypeError(`canonical JSON is at most ${depthMax} deep`);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeText(value);
  if (typeof value === "bigint") return `"${value}"`;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("canonical JSON has finite numbers only");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return writeList(value, depth);
  if (typeof value === "object") return writeObject(value, depth);
  throw new TypeError(`canonical JSON cannot carry a value of type ${typeof value}`);
}

// Printable ASCII without the two characters that JSON escapes: most of what is ever written.
const plainText = /^[ !#-[\]-~]*$/;

function writeText(text: string): string {
  if (plainText.test(text)) return `"${text}"`;
  if (!isWellFormed(text)) throw new TypeError("canonical JSON cannot carry a lone surrogate");
  return JSON.stringify(text);
}

function writeList(items: readonly unknown[], depth: number): string {
  // An index loop, because `map` skips the holes of a sparse array and a hole is not a value.
  const parts: string[] = [];
  for (let index = 0; index < items.length; index += 1) {
    parts.push(write(items[index], depth + 1));
  }
  return `[${parts.join(",")}]`;
}

// Names come from models and repeat for ever. A stranger's may fill this once, which changes nothing
// but the time it takes; long ones stay out.
const namesMax = 1024;
const nameLengthMax = 64;
const writtenNames = new Map<string, string>();

function writeName(name: string): string {
  const known = writtenNames.get(name);
  if (known !== undefined) return known;
  const text = `${writeText(name)}:`;
  if (writtenNames.size < namesMax && name.length <= nameLengthMax) writtenNames.set(name, text);
  return text;
}

function writeObject(value: object, depth: number): string {
  // `sort` compares by UTF-16 code unit, which is the order that RFC 8785 asks for.
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, key);
    text += (text === "" ? "{" : ",") + writeName(key) + write(member, depth + 1);
  }
  return text === "" ? "{}" : `${text}}`;
}
