import type { Json } from "./adapter.js";
import { fail, succeed, type Outcome } from "./outcome.js";

/** How strict JSON is bounded, and what becomes of integers that a double cannot hold. */
export interface JsonBounds {
  readonly bytesMax: number;
  /** An empty array has depth 1; a scalar has depth 0. */
  readonly depthMax: number;
  /**
   * `refuse` (the default) fails on a number whose value is an integer beyond ±(2^53 − 1); `text`
   * keeps its source text as a string, for provider objects that hold 64-bit integers.
   */
  readonly integers?: "refuse" | "text";
}

/**
 * The value of one strict JSON document, in objects without a prototype.
 *
 * Refused with `invalid_input`: duplicate members at any depth, invalid UTF-8, a byte order mark,
 * lone surrogates, numbers that are not finite, vanish to zero or lose digits, anything after the
 * document. `-0` becomes `0`. Longer than `bytesMax` or deeper than `depthMax` is `capacity`.
 * A message names a place and a reason, never content.
 */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds): Outcome<Json> {
  if (bytes.byteLength > bounds.bytesMax) {
    return fail("capacity", `JSON is longer than ${bounds.bytesMax} bytes`);
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) return fail("invalid_input", "JSON is not valid UTF-8");
  const reader = new JsonReader(text, bounds);
  const value = reader.readDocument();
  if (value !== undefined) return succeed(value);
  const { reason, code } = reader.fault();
  return fail(code, `JSON: ${reason} at ${describePlace(text, reader.at())}`);
}

// One decoder serves all calls: without `stream` it keeps no state between them.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function describePlace(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return `line ${line}, column ${at - before.lastIndexOf("\n")}`;
}

const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const hexQuad = /[0-9a-fA-F]{4}/y;
// With `u`, a surrogate of a pair is no match: only lone ones are.
const loneSurrogate = /\p{Surrogate}/u;
const nonZeroDigit = /^-?[0.]*[1-9]/;
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;

function isBlank(unit: number): boolean {
  return unit === space || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

interface Fault {
  readonly code: "invalid_input" | "capacity";
  readonly reason: string;
}

/** Reads one document from the left; `undefined` means that a fault was noted. */
class JsonReader {
  readonly #text: string;
  readonly #bounds: JsonBounds;
  #at = 0;
  #fault: Fault = { code: "invalid_input", reason: "something unexpected" };

  constructor(text: string, bounds: JsonBounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  at(): number {
    return this.#at;
  }

  fault(): Fault {
    return this.#fault;
  }

  readDocument(): Json | undefined {
    if (this.#text.startsWith("\ufeff")) return this.#refuse("a byte order mark");
    this.#skipBlanks();
    const value = this.#readValue(0);
    if (value === undefined) return undefined;
    this.#skipBlanks();
    if (this.#at < this.#text.length) return this.#refuse("something after the document");
    return value;
  }

  #readValue(depth: number): Json | undefined {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#deeper(depth) ? this.#readObject(depth + 1) : undefined;
      case "[":
        return this.#deeper(depth) ? this.#readArray(depth + 1) : undefined;
      case '"':
        return this.#readString();
      case "t":
        return this.#readWord("true", true);
      case "f":
        return this.#readWord("false", false);
      case "n":
        return this.#readWord("null", null);
      case undefined:
        return this.#refuse("an unexpected end");
      default:
        return this.#readNumber();
    }
  }

  #readObject(depth: number): Json | undefined {
    // No prototype: `__proto__` is a member like any other, and an absent member is absent.
    const object: { [member: string]: Json } = Object.create(null);
    this.#at += 1;
    this.#skipBlanks();
    if (this.#take("}")) return object;
    for (;;) {
      const start = this.#at;
      if (this.#text[start] !== '"') return this.#refuse("no member name");
      const member = this.#readString();
      if (member === undefined) return undefined;
      if (member in object) {
        this.#at = start;
        return this.#refuse("a duplicate member");
      }
      this.#skipBlanks();
      if (!this.#take(":")) return this.#refuse("no colon after a member name");
      this.#skipBlanks();
      const value = this.#readValue(depth);
      if (value === undefined) return undefined;
      object[member] = value;
      this.#skipBlanks();
      if (this.#take("}")) return object;
      if (!this.#take(",")) return this.#refuse("no comma or closing brace");
      this.#skipBlanks();
    }
  }

  #readArray(depth: number): Json | undefined {
    const array: Json[] = [];
    this.#at += 1;
    this.#skipBlanks();
    if (this.#take("]")) return array;
    for (;;) {
      const value = this.#readValue(depth);
      if (value === undefined) return undefined;
      array.push(value);
      this.#skipBlanks();
      if (this.#take("]")) return array;
      if (!this.#take(",")) return this.#refuse("no comma or closing bracket");
      this.#skipBlanks();
    }
  }

  #readString(): string | undefined {
    const start = this.#at;
    this.#at += 1;
    let value = "";
    let escaped = false;
    for (;;) {
      value += this.#readPlainRun();
      const next = this.#text[this.#at];
      if (next === undefined) return this.#refuse("an unfinished string");
      if (next === '"') break;
      if (next !== "\\") return this.#refuse("a control character in a string");
      const piece = this.#readEscape();
      if (piece === undefined) return undefined;
      value += piece;
      escaped = true;
    }
    this.#at += 1;
    // Decoding left none behind, so only escapes can make a lone surrogate.
    if (escaped && loneSurrogate.test(value)) {
      this.#at = start;
      return this.#refuse("a lone surrogate");
    }
    return value;
  }

  // Everything up to a quote, a backslash or a control character.
  #readPlainRun(): string {
    const start = this.#at;
    const text = this.#text;
    let at = start;
    for (; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === quote || unit === backslash || unit < space) break;
    }
    this.#at = at;
    return text.slice(start, at);
  }

  #readEscape(): string | undefined {
    this.#at += 1;
    const letter = this.#text[this.#at] ?? "";
    const simple = escapes.get(letter);
    if (simple !== undefined) {
      this.#at += 1;
      return simple;
    }
    if (letter !== "u") return this.#refuse("an unknown escape");
    this.#at += 1;
    const quad = this.#match(hexQuad);
    if (quad === undefined) return this.#refuse("an unfinished escape");
    return String.fromCharCode(Number.parseInt(quad, 16));
  }

  #readNumber(): number | string | undefined {
    const start = this.#at;
    const token = this.#match(numberToken);
    if (token === undefined) return this.#refuse("something that is no JSON value");
    const value = Number(token);
    if (Number.isSafeInteger(value)) {
      if (value !== 0) return value;
      if (!nonZeroDigit.test(token)) return 0;
      this.#at = start;
      return this.#refuse("a number too small to hold");
    }
    if (!Number.isInteger(value) && Number.isFinite(value)) return value;
    if (Number.isFinite(value) && this.#bounds.integers === "text") return token;
    this.#at = start;
    return this.#refuse("a number too large to hold exactly");
  }

  #readWord<T extends boolean | null>(word: string, value: T): T | undefined {
    if (!this.#text.startsWith(word, this.#at)) return this.#refuse("an unknown word");
    this.#at += word.length;
    return value;
  }

  #deeper(depth: number): boolean {
    if (depth < this.#bounds.depthMax) return true;
    this.#refuse(`more than ${this.#bounds.depthMax} levels`, "capacity");
    return false;
  }

  #skipBlanks(): void {
    const text = this.#text;
    while (isBlank(text.charCodeAt(this.#at))) this.#at += 1;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #refuse(reason: string, code: Fault["code"] = "invalid_input"): undefined {
    this.#fault = { code, reason };
    return undefined;
  }
}
