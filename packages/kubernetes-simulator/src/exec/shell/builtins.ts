import { resolvePath } from "../process/container.js";
import { complain, status, type Process, type Program, type Running } from "../process/program.js";
import { echo } from "../programs/echo.js";
import { pwd } from "../programs/identity.js";
import { kill } from "../programs/kill.js";
import { printf } from "../programs/printf.js";
import { fail, succeed } from "../programs/truth.js";
import type { Variables } from "./variables.js";

/** A command that changes the shell it is given in. */
export type Builtin = (process: Process, variables: Variables) => Running;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** Commands that only a shell can be. */
export const SHELL_BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [":", () => succeed()],
  ["cd", cd],
  ["exit", exit],
  ["export", exportNames],
  ["unset", unset],
  ["set", set],
  ["wait", wait],
  ["exec", replace],
]);

/** Programs that a shell runs itself, under its own name and process id. */
export const PROGRAM_BUILTINS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["echo", echo],
  ["printf", printf],
  ["kill", kill],
  ["pwd", pwd],
  ["true", succeed],
  ["false", fail],
]);

/** What a real shell has, and this one has not: not the same as a program that is not there. */
export const UNKNOWN_BUILTINS: ReadonlySet<string> = new Set(
  (
    ". [ [[ alias bg break chdir command continue eval fg getopts hash help history jobs let " +
    "local read readonly return shift source test times trap type ulimit umask unalias"
  ).split(" "),
);

function* cd(process: Process, variables: Variables): Running {
  const to = process.argv[1] ?? variables.valueOf("HOME") ?? "/";
  const path = resolvePath(variables.directory, to);
  if (process.container.kindOf(path) !== "directory") {
    return yield* complain(process, `cd: line 0: can't cd to ${to}: No such file or directory`, 2);
  }
  variables.directory = path;
  return status(0);
}

function* exit(process: Process, variables: Variables): Running {
  const [, word] = process.argv;
  if (word === undefined) return { end: "exit", code: variables.lastCode };
  if (/^\d{1,9}$/u.test(word)) return { end: "exit", code: Number(word) % 256 };
  yield* complain(process, `exit: line 0: Illegal number: ${word}`, 2);
  return { end: "exit", code: 2 };
}

function* exportNames(process: Process, variables: Variables): Running {
  for (const word of process.argv.slice(1)) {
    const [name = "", ...rest] = word.split("=");
    if (!NAME.test(name)) {
      yield* complain(process, `export: line 0: ${word}: bad variable name`, 2);
      return { end: "exit", code: 2 };
    }
    if (word.includes("=")) variables.set(name, rest.join("="));
    variables.export(name);
  }
  return status(0);
}

// eslint-disable-next-line require-yield -- A built-in command is a program that asks for nothing.
function* unset(process: Process, variables: Variables): Running {
  for (const name of process.argv.slice(1)) variables.unset(name);
  return status(0);
}

function* set(process: Process, variables: Variables): Running {
  const [, word] = process.argv;
  if (word !== "-e" && word !== "+e") {
    return yield* complain(process, `set: ${word ?? ""} is not in the simulator's shell`, 2);
  }
  variables.endsOnFailure = word === "-e";
  return status(0);
}

function* wait(process: Process): Running {
  const [, word] = process.argv;
  if (word !== undefined && !/^\d{1,9}$/u.test(word)) {
    return yield* complain(process, `wait: line 0: Illegal number: ${word}`, 2);
  }
  if (word !== undefined) {
    const reply = yield { call: "wait", pid: Number(word) };
    return status(reply.reply === "ended" ? reply.code : 127);
  }
  yield { call: "wait", pid: undefined };
  return status(0);
}

function* replace(process: Process): Running {
  const [, name] = process.argv;
  if (name === undefined) return status(0);
  const program = process.find(name);
  if (program === undefined) {
    yield* complain(process, `exec: line 0: ${name}: not found`, 127);
    return { end: "exit", code: 127 };
  }
  const argv = process.argv.slice(1);
  const ending = yield* program({ ...process, argv, name });
  return ending.end === "status" ? { end: "exit", code: ending.code } : ending;
}
