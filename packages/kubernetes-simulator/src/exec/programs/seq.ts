import { complain, encodeText, status, type Process, type Running } from "../process/program.js";

const NUMBER = /^-?\d{1,15}$/u;
const LINES_AT_A_TIME = 4_096;

/** `seq [FIRST [STEP]] LAST`, whole numbers, one a line. */
export function* seq(process: Process): Running {
  const words = process.argv.slice(1);
  const wrong = words.find((word) => !NUMBER.test(word));
  if (wrong !== undefined) return yield* complain(process, `invalid number '${wrong}'`, 1);
  const numbers = words.map(Number);
  const last = numbers.at(-1);
  if (last === undefined || numbers.length > 3) {
    return yield* complain(process, "usage: seq [FIRST [INC]] LAST", 1);
  }
  const first = numbers.length > 1 ? (numbers[0] ?? 1) : 1;
  const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
  let lines: string[] = [];
  for (let value = first; step >= 0 ? value <= last : value >= last; value += step) {
    lines.push(`${value}\n`);
    if (lines.length < LINES_AT_A_TIME) continue;
    yield* process.stdout.write(encodeText(lines.join("")));
    lines = [];
  }
  if (lines.length > 0) yield* process.stdout.write(encodeText(lines.join("")));
  return status(0);
}
