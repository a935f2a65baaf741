import {
  complain,
  status,
  type Asking,
  type Process,
  type Running,
  type Source,
} from "../process/program.js";
import { openSource, READ_BYTES } from "./open-source.js";

interface Amount {
  readonly of: "bytes" | "lines";
  readonly count: number;
}

const SIZES: Readonly<Record<string, number>> = { "": 1, b: 512, k: 1024, m: 1024 ** 2 };
const NEWLINE = 0x0a;

/** `head [-c BYTES | -n LINES] [FILE...]`: the first 10 lines when neither is said. */
export function* head(process: Process): Running {
  const parsed = parseArguments(process.argv.slice(1));
  if (typeof parsed === "string") return yield* complain(process, parsed, 1);
  let code = 0;
  for (const path of parsed.paths) {
    const opened = openSource(process, path);
    if (opened.kind === "source") {
      yield* copy(process, opened.source, parsed.amount);
      continue;
    }
    const why = opened.kind === "missing" ? "No such file or directory" : "Input/output error";
    yield* complain(process, `${path}: ${why}`, 1);
    code = 1;
  }
  return status(code);
}

function* copy(process: Process, source: Source, amount: Amount): Asking<void> {
  let left = amount.count;
  while (left > 0) {
    const bytesMax = amount.of === "bytes" ? Math.min(left, READ_BYTES) : READ_BYTES;
    const bytes = yield* source.read(bytesMax);
    if (bytes === undefined) return;
    if (amount.of === "bytes") {
      left -= bytes.length;
      yield* process.stdout.write(bytes);
      continue;
    }
    const cut = cutLines(bytes, left);
    left -= cut.lines;
    yield* process.stdout.write(bytes.subarray(0, cut.end));
  }
}

/** Where the first `lines` lines of `bytes` end, or how many there are. */
function cutLines(
  bytes: Uint8Array,
  lines: number,
): { readonly end: number; readonly lines: number } {
  let seen = 0;
  let end = 0;
  while (seen < lines) {
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline < 0) return { end: bytes.length, lines: seen };
    end = newline + 1;
    seen += 1;
  }
  return { end, lines: seen };
}

interface Arguments {
  readonly amount: Amount;
  readonly paths: readonly string[];
}

function parseArguments(words: readonly string[]): Arguments | string {
  let amount: Amount = { of: "lines", count: 10 };
  let at = 0;
  for (let word = words[at]; word !== undefined && /^-./u.test(word); word = words[at]) {
    at += 1;
    if (word === "--") break;
    const [, letter, attached] = /^-([cn])(.*)$/su.exec(word) ?? [];
    if (letter === undefined) return `invalid option -- '${word.slice(1, 2)}'`;
    const text = attached === "" ? words[at++] : attached;
    if (text === undefined) return `option requires an argument -- '${letter}'`;
    const count = parseCount(text);
    if (count === undefined) return `invalid number '${text}'`;
    amount = { of: letter === "c" ? "bytes" : "lines", count };
  }
  const paths = words.slice(at);
  return { amount, paths: paths.length === 0 ? ["-"] : paths };
}

function parseCount(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,15})([bkm]?)$/u.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (SIZES[unit ?? ""] ?? 1);
}
