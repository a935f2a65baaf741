import { complain, status, type Process, type Running } from "../process/program.js";
import { openSource, READ_BYTES } from "./open-source.js";

/** `cat [FILE...]`: stdin without one, and for `-`. */
export function* cat(process: Process): Running {
  const words = process.argv.slice(1);
  if (words[0] === "--") words.shift();
  let code = 0;
  for (const path of words.length === 0 ? ["-"] : words) {
    const opened = openSource(process, path);
    if (opened.kind === "source") {
      let bytes = yield* opened.source.read(READ_BYTES);
      while (bytes !== undefined) {
        yield* process.stdout.write(bytes);
        bytes = yield* opened.source.read(READ_BYTES);
      }
      continue;
    }
    const why =
      opened.kind === "missing"
        ? `can't open '${path}': No such file or directory`
        : "read error: Is a directory";
    yield* complain(process, why, 1);
    code = 1;
  }
  return status(code);
}
