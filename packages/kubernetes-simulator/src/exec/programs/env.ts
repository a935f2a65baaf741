import { baseName } from "../process/container.js";
import { complain, encodeText, status, type Process, type Running } from "../process/program.js";

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/su;

/** `env [NAME=VALUE...] [COMMAND...]` */
export function* env(process: Process): Running {
  const environment = new Map(process.environment);
  const words = process.argv.slice(1);
  for (let match = ASSIGNMENT.exec(words[0] ?? ""); match !== null;) {
    environment.set(match[1] ?? "", match[2] ?? "");
    words.shift();
    match = ASSIGNMENT.exec(words[0] ?? "");
  }
  const [name] = words;
  if (name === undefined) {
    const lines = [...environment].map(([key, value]) => `${key}=${value}\n`).join("");
    yield* process.stdout.write(encodeText(lines));
    return status(0);
  }
  const program = process.find(name);
  if (program === undefined) {
    return yield* complain(process, `can't execute '${name}': No such file or directory`, 127);
  }
  return yield* program({ ...process, argv: words, name: baseName(name), environment });
}
