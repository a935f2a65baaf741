import { encodeText, status, type Process, type Running } from "../process/program.js";
import { unescape } from "./escapes.js";

const OPTION = /^-[neE]+$/u;

/** `echo [-neE] WORD...` */
export function* echo(process: Process): Running {
  let words = process.argv.slice(1);
  let isEscaped = false;
  let endsLine = true;
  for (let first = words[0]; first !== undefined && OPTION.test(first); first = words[0]) {
    if (first.includes("n")) endsLine = false;
    for (const letter of first) {
      if (letter === "e") isEscaped = true;
      if (letter === "E") isEscaped = false;
    }
    words = words.slice(1);
  }
  const text = words.join(" ");
  const { bytes, stops } = isEscaped ? unescape(text) : { bytes: encodeText(text), stops: false };
  const tail = endsLine && !stops ? "\n" : "";
  yield* process.stdout.write(Buffer.concat([bytes, encodeText(tail)]));
  return status(0);
}
