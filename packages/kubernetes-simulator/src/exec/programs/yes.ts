import { encodeText, type Process, type Running } from "../process/program.js";
import { READ_BYTES } from "./open-source.js";

/** `yes [WORD...]`: a line again and again, until nobody reads it. */
export function* yes(process: Process): Running {
  const words = process.argv.slice(1);
  const line = encodeText(`${words.length === 0 ? "y" : words.join(" ")}\n`);
  const repeats = Math.max(1, Math.floor(READ_BYTES / line.length));
  const block = Buffer.alloc(line.length * repeats);
  for (let at = 0; at < repeats; at += 1) block.set(line, at * line.length);
  for (;;) yield* process.stdout.write(block);
}
