import { encodeText } from "../process/program.js";
import { unescape } from "./escapes.js";

/** What one pass over a format makes of the words that are left. */
export interface FormatPass {
  readonly bytes: Uint8Array;
  readonly complaints: readonly string[];
  readonly wordsUsed: number;
  /** Nothing may follow: a `\c`, or a conversion that there is not. */
  readonly stops: boolean;
}

// A percent sign, a conversion (group 4 is its letter), or a run of ordinary letters.
const PIECE = /%%|%([-0]*)(\d*)(?:\.(\d+))?(.?)|[^%]+/gsu;

/** Goes over `format` once, taking `words` from the first on; a word that is missing is empty. */
export function formatOnce(format: string, words: readonly string[]): FormatPass {
  const pieces: Uint8Array[] = [];
  const complaints: string[] = [];
  let wordsUsed = 0;
  let stops = false;
  for (const match of format.matchAll(PIECE)) {
    if (stops) break;
    const letter = match[4];
    if (letter === undefined) {
      const plain = unescape(match[0] === "%%" ? "%" : match[0]);
      pieces.push(plain.bytes);
      stops = plain.stops;
      continue;
    }
    const converted = convert(letter, words[wordsUsed]);
    if (converted === undefined) {
      complaints.push(`${match[0]}: invalid format`);
      stops = true;
      continue;
    }
    wordsUsed += 1;
    pieces.push(pad(converted, match[1] ?? "", Number(match[2]), match[3]));
    if (converted.complaint !== undefined) complaints.push(converted.complaint);
    stops = converted.stops ?? false;
  }
  return { bytes: Buffer.concat(pieces), complaints, wordsUsed, stops };
}

interface Converted {
  readonly bytes: Uint8Array;
  readonly isNumber: boolean;
  readonly complaint?: string;
  readonly stops?: boolean;
}

function convert(letter: string, word: string | undefined): Converted | undefined {
  switch (letter) {
    case "s":
      return { bytes: encodeText(word ?? ""), isNumber: false };
    case "c":
      return { bytes: encodeText((word ?? "").match(/./su)?.[0] ?? ""), isNumber: false };
    case "b": {
      const { bytes, stops } = unescape(word ?? "");
      return { bytes, isNumber: false, stops };
    }
    case "d":
    case "i":
    case "u":
      return convertNumber(word, (value) => value.toString());
    case "x":
      return convertNumber(word, (value) => BigInt.asUintN(64, value).toString(16));
    case "X":
      return convertNumber(word, (value) => BigInt.asUintN(64, value).toString(16).toUpperCase());
    case "o":
      return convertNumber(word, (value) => BigInt.asUintN(64, value).toString(8));
    default:
      return undefined;
  }
}

function convertNumber(word: string | undefined, print: (value: bigint) => string): Converted {
  const text = word ?? "";
  const isNumber = /^\s*[-+]?(?:0[xX][0-9a-fA-F]+|\d+)$/u.test(text);
  const value = isNumber ? parseNumber(text.trim()) : 0n;
  const complaint = isNumber || text === "" ? {} : { complaint: `invalid number '${text}'` };
  return { bytes: encodeText(print(value)), isNumber: true, ...complaint };
}

function parseNumber(text: string): bigint {
  const digits = text.replace(/^[-+]/u, "");
  const value = BigInt(/^0\d/u.test(digits) ? digits.replace(/^0+/u, "0o0") : digits);
  return BigInt.asIntN(64, text.startsWith("-") ? -value : value);
}

function pad(
  converted: Converted,
  flags: string,
  width: number,
  precision: string | undefined,
): Uint8Array {
  const { isNumber } = converted;
  const bytes =
    precision === undefined || isNumber
      ? converted.bytes
      : converted.bytes.subarray(0, Number(precision));
  const missing = Math.min(width, WIDTH_MAX) - bytes.length;
  if (missing <= 0) return bytes;
  if (flags.includes("-")) return Buffer.concat([bytes, encodeText(" ".repeat(missing))]);
  if (!flags.includes("0") || !isNumber) {
    return Buffer.concat([encodeText(" ".repeat(missing)), bytes]);
  }
  const sign = bytes[0] === MINUS ? 1 : 0;
  const zeros = encodeText("0".repeat(missing));
  return Buffer.concat([bytes.subarray(0, sign), zeros, bytes.subarray(sign)]);
}

const MINUS = 0x2d;
/** A width beyond it is taken for it: one conversion never makes more than that. */
const WIDTH_MAX = 65_536;
