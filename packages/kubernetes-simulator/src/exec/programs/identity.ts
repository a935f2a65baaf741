import { complain, encodeText, status, type Process, type Running } from "../process/program.js";

const WHOLE = "uid=0(root) gid=0 groups=0";

const PARTS: ReadonlyMap<string, string> = new Map([
  ["-u", "0"],
  ["-g", "0"],
  ["-G", "0"],
  ["-un", "root"],
  ["-nu", "root"],
]);

/** `id [-u | -g | -G | -un]`: root, as in a container that says nothing else. */
export function* id(process: Process): Running {
  const [, word] = process.argv;
  if (word === undefined || word === "root") return yield* print(process, WHOLE);
  const part = PARTS.get(word);
  if (part !== undefined) return yield* print(process, part);
  const why = word.startsWith("-")
    ? `invalid option -- '${word.slice(1)}'`
    : `unknown user ${word}`;
  return yield* complain(process, why, 1);
}

/** `whoami` */
export function whoami(process: Process): Running {
  return print(process, "root");
}

/** `hostname`: the Pod's name. */
export function* hostname(process: Process): Running {
  const [, word] = process.argv;
  if (word !== undefined && !word.startsWith("-")) {
    return yield* complain(process, "sethostname: Operation not permitted", 1);
  }
  return yield* print(process, process.container.hostname);
}

/** `pwd` */
export function pwd(process: Process): Running {
  return print(process, process.directory);
}

function* print(process: Process, text: string): Running {
  yield* process.stdout.write(encodeText(`${text}\n`));
  return status(0);
}
