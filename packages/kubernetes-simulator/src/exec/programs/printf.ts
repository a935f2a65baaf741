import { complain, status, type Process, type Running } from "../process/program.js";
import { formatOnce } from "./printf-format.js";

/** `printf FORMAT [ARGUMENT...]`: the format, again until no argument is left. */
export function* printf(process: Process): Running {
  const [, format, ...rest] = process.argv;
  if (format === undefined) {
    return yield* complain(process, "usage: printf FORMAT [ARGUMENT...]", 2);
  }
  let words = rest;
  let code = 0;
  for (;;) {
    const pass = formatOnce(format, words);
    if (pass.bytes.length > 0) yield* process.stdout.write(pass.bytes);
    for (const complaint of pass.complaints) {
      yield* complain(process, complaint, 1);
      code = 1;
    }
    words = words.slice(pass.wordsUsed);
    if (pass.stops || words.length === 0 || pass.wordsUsed === 0) return status(code);
  }
}
