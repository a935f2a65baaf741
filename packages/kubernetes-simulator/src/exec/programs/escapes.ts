import { encodeText } from "../process/program.js";

/** Bytes that an escaped text stands for. */
export interface Unescaped {
  readonly bytes: Uint8Array;
  /** A `\c` was met: nothing that follows is written. */
  readonly stops: boolean;
}

const LETTERS: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  "\\": 92,
};

const ESCAPE = /\\(?:(c)|x([0-9a-fA-F]{1,2})|(0?[0-7]{1,3})|([abefnrtv\\]))/gu;

/**
 * The bytes of `text` with its backslash escapes resolved as `echo -e` and `printf` do; an escape
 * that is none stays as it is.
 */
export function unescape(text: string): Unescaped {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const match of text.matchAll(ESCAPE)) {
    pieces.push(encodeText(text.slice(at, match.index)));
    if (match[1] !== undefined) return { bytes: Buffer.concat(pieces), stops: true };
    pieces.push(Uint8Array.of(byteOf(match)));
    at = match.index + match[0].length;
  }
  pieces.push(encodeText(text.slice(at)));
  return { bytes: Buffer.concat(pieces), stops: false };
}

function byteOf(match: RegExpExecArray): number {
  const [, , hex, octal, letter] = match;
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (octal !== undefined) return Number.parseInt(octal, 8) & 0xff;
  return LETTERS[letter ?? ""] ?? 0;
}
