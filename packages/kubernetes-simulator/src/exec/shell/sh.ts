import { execBounds } from "../exec-bounds.js";
import { resolvePath } from "../process/container.js";
import {
  complain,
  encodeText,
  status,
  type Asking,
  type Ending,
  type Process,
  type Running,
} from "../process/program.js";
import { runScript, type Shell } from "./evaluate.js";
import { parseScript } from "./parse-script.js";
import { Variables } from "./variables.js";

const READ_BYTES = 4_096;
const NEWLINE = 0x0a;
const PROMPT = "/ # ";

interface Start {
  readonly endsOnFailure: boolean;
  /** The text after `-c`, a file's name, or neither: stdin is read. */
  readonly from: { readonly text: string } | { readonly path: string } | "stdin";
  readonly name: string;
  readonly positional: readonly string[];
}

/** `sh [-e] [-c TEXT [NAME [ARGUMENT...]] | FILE [ARGUMENT...]]`; stdin without either. */
export function* sh(process: Process): Running {
  const start = parseArguments(process.argv);
  if (typeof start === "string") return yield* complain(process, start, 2);
  if (process.lineage.length > execBounds.shellDepthMax) {
    return yield* complain(process, "nested too deeply", 2);
  }
  const shell = { process, variables: variablesOf(process, start) };
  const ending = yield* runFrom(shell, start.from);
  return ownEnding(ending, process.pid);
}

/** Whether this argv is a shell that a person at a terminal types into. */
export function isInteractive(argv: readonly string[], tty: boolean): boolean {
  const start = parseArguments(argv);
  return tty && typeof start !== "string" && start.from === "stdin";
}

function* runFrom(shell: Shell, from: Start["from"]): Running {
  const { process } = shell;
  if (from === "stdin") return yield* process.tty ? converse(shell) : runInput(shell);
  if ("text" in from) return yield* runScript(shell, parseScript(from.text), process);
  const path = resolvePath(process.directory, from.path);
  if (process.container.kindOf(path) !== "file") {
    return yield* complain(process, `can't open '${from.path}': No such file or directory`, 2);
  }
  const text = new TextDecoder().decode(process.container.read(path));
  return yield* runScript(shell, parseScript(text), process);
}

/** Runs stdin line by line. What was read of it is the shell's: no program sees it. */
function* runInput(shell: Shell): Running {
  const lines = makeLineReader(shell.process);
  for (let line = yield* lines(); line !== undefined; line = yield* lines()) {
    const ending = yield* runScript(shell, parseScript(line), shell.process);
    if (ending.end !== "status") return ending;
  }
  return status(shell.variables.lastCode);
}

/** Prompts, runs a line, prompts again. Ctrl-C ends what runs, and never the shell. */
function* converse(shell: Shell): Running {
  const { process, variables } = shell;
  const lines = makeLineReader(process);
  for (;;) {
    yield* process.stderr.write(encodeText(PROMPT));
    const line = yield* interruptible(lines());
    if (line === "interrupted") {
      yield* process.stderr.write(encodeText("\n"));
      continue;
    }
    if (line === undefined) return status(variables.lastCode);
    const ending = yield* interruptible(runTyped(shell, line));
    if (ending === "interrupted") {
      yield* process.stderr.write(encodeText("\n"));
      variables.lastCode = INTERRUPTED_CODE;
    } else if (ending.end !== "status") return ending;
  }
}

/** Runs what was typed. Unlike in a script, a line that is none does not end the shell. */
function* runTyped(shell: Shell, line: string): Running {
  const { process, variables } = shell;
  const { lines, problem } = parseScript(line);
  const ending = yield* runScript(shell, { lines, problem: undefined }, process);
  if (ending.end !== "status" || problem === undefined) return ending;
  variables.lastCode = 2;
  return yield* complain(process, problem, 2);
}

const INTERRUPTED_CODE = 130;

/** Does `work` unless it is interrupted, and then leaves it where it is. */
function* interruptible<T>(work: Asking<T>): Asking<T | "interrupted"> {
  let step = work.next({ reply: "done" });
  while (step.done !== true) {
    const reply = yield step.value;
    if (reply.reply === "interrupted") return "interrupted";
    step = work.next(reply);
  }
  return step.value;
}

/** Reads lines; the last one may lack its end. One that is too long is cut where it is. */
function makeLineReader(process: Process): () => Asking<string | undefined> {
  let waiting = new Uint8Array();
  return function* readLine() {
    for (;;) {
      const newline = waiting.indexOf(NEWLINE);
      const isLong = waiting.length >= execBounds.fileBytesMax;
      if (newline >= 0 || isLong) {
        const end = newline >= 0 ? newline : waiting.length;
        const line = new TextDecoder().decode(waiting.subarray(0, end));
        waiting = waiting.subarray(end + 1);
        return line;
      }
      const bytes = yield* process.stdin.read(READ_BYTES);
      if (bytes !== undefined) {
        waiting = Buffer.concat([waiting, bytes]);
        continue;
      }
      const rest = waiting.length === 0 ? undefined : new TextDecoder().decode(waiting);
      waiting = new Uint8Array();
      return rest;
    }
  };
}

function parseArguments(argv: readonly string[]): Start | string {
  const words = argv.slice(1);
  let endsOnFailure = false;
  let takesText = false;
  while (words[0]?.startsWith("-") === true) {
    const letters = words.shift() ?? "";
    if (letters === "-" || letters === "--") break;
    const unknown = letters.slice(1).match(/[^cesxi]/u)?.[0];
    if (unknown !== undefined) return `invalid option -- '${unknown}'`;
    endsOnFailure ||= letters.includes("e");
    takesText ||= letters.includes("c");
  }
  const [text, name, ...more] = words;
  if (takesText) {
    if (text === undefined) return "-c requires an argument";
    return { endsOnFailure, from: { text }, name: name ?? argv[0] ?? "sh", positional: more };
  }
  if (text === undefined) {
    return { endsOnFailure, from: "stdin", name: argv[0] ?? "sh", positional: [] };
  }
  return { endsOnFailure, from: { path: text }, name: text, positional: words.slice(1) };
}

function variablesOf(process: Process, start: Start): Variables {
  const variables = new Variables({
    values: process.environment,
    exported: process.environment.keys(),
    pid: process.pid,
    name: start.name,
    positional: start.positional,
    directory: process.directory,
  });
  variables.endsOnFailure = start.endsOnFailure;
  return variables;
}

/** The ending of the shell as a program: a signal that it sent itself is what it died of. */
function ownEnding(ending: Ending, pid: number): Ending {
  if (ending.end === "exit") return status(ending.code);
  if (ending.end !== "killed" || ending.pid !== pid) return ending;
  return { end: "status", code: 128 + ending.signal, signal: ending.signal };
}
