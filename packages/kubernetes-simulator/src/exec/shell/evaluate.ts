import { baseName } from "../process/container.js";
import {
  encodeText,
  status,
  type Asking,
  type Ending,
  type Process,
  type Running,
} from "../process/program.js";
import { makePipedWriter, makePipeSink, type PipedWriter } from "../process/pipe.js";
import { emptySource } from "../process/streams.js";
import { describeDeath } from "../programs/signals.js";
import { SHELL_BUILTINS, PROGRAM_BUILTINS, UNKNOWN_BUILTINS } from "./builtins.js";
import { expandText, expandWords } from "./expand.js";
import { redirect, stillHolds, type Streams } from "./redirects.js";
import type { AndOr, Command, List, Pipeline, Script } from "./syntax.js";
import { notSimulated } from "./token.js";
import type { Variables } from "./variables.js";

/** A shell at work: its process, and what it remembers. */
export interface Shell {
  readonly process: Process;
  readonly variables: Variables;
}

/** Runs the lines of `script` one after another, then says what is wrong with it, if anything. */
export function* runScript(shell: Shell, script: Script, streams: Streams): Running {
  for (const line of script.lines) {
    const ending = yield* runList(shell, line, streams);
    if (ending.end !== "status") return ending;
  }
  if (script.problem === undefined) return status(shell.variables.lastCode);
  yield* streams.stderr.write(encodeText(`${shell.process.name}: ${script.problem}\n`));
  return { end: "exit", code: 2 };
}

function* runList(shell: Shell, list: List, streams: Streams): Running {
  for (const { andOr, background } of list) {
    if (background) {
      yield* spawn(shell, andOr, streams);
      continue;
    }
    const ending = yield* runAndOr(shell, andOr, streams);
    if (ending.end !== "status") return ending;
  }
  return status(shell.variables.lastCode);
}

function* runAndOr(shell: Shell, andOr: AndOr, streams: Streams): Running {
  const { variables } = shell;
  const members = [{ operator: "&&", pipeline: andOr.first }, ...andOr.rest];
  let ran = andOr.first;
  for (const [index, { operator, pipeline }] of members.entries()) {
    if (index > 0 && (operator === "&&") !== (variables.lastCode === 0)) continue;
    const ending = yield* runPipeline(shell, pipeline, streams);
    if (ending.end !== "status") return ending;
    variables.lastCode = pipeline.negated ? Number(ending.code === 0) : ending.code;
    ran = pipeline;
  }
  // What `&&`, `||` or `!` have looked at does not end a shell that ends on failures.
  const isLast = ran === members.at(-1)?.pipeline && !ran.negated;
  if (variables.endsOnFailure && isLast && variables.lastCode !== 0) {
    return { end: "exit", code: variables.lastCode };
  }
  return status(variables.lastCode);
}

function* runPipeline(shell: Shell, pipeline: Pipeline, streams: Streams): Running {
  const [only, ...others] = pipeline.commands;
  if (only === undefined) return status(0);
  if (others.length === 0) return yield* runCommand(shell, only, streams);
  const writers: PipedWriter[] = [];
  let stdin = streams.stdin;
  for (const command of pipeline.commands.slice(0, -1)) {
    const pipe = Symbol("pipe");
    const running = runForked(shell, command, { ...streams, stdin, stdout: makePipeSink(pipe) });
    const writer = makePipedWriter(pipe, running);
    writers.unshift(writer);
    stdin = writer.source;
  }
  let ending = yield* runForked(shell, others.at(-1) ?? only, { ...streams, stdin });
  for (const writer of writers) {
    const written = yield* writer.drain();
    if (written?.end === "killed") ending = written;
  }
  return ending;
}

/** Runs a command in a shell of its own: `exit` and assignments stay there. */
function* runForked(shell: Shell, command: Command, streams: Streams): Running {
  const forked = { ...shell, variables: shell.variables.fork() };
  const ending = yield* runCommand(forked, command, streams);
  return ending.end === "exit" ? status(ending.code) : ending;
}

function* spawn(shell: Shell, andOr: AndOr, streams: Streams): Asking<void> {
  const { variables, process } = shell;
  const forked = { ...shell, variables: variables.fork() };
  const pid = process.container.nextPid();
  // A task in the background does not read what the shell was given.
  const body = runAndOr(forked, andOr, { ...streams, stdin: emptySource });
  const [command, ...more] = andOr.first.commands;
  const isAlone = more.length === 0 && andOr.rest.length === 0;
  const holds = stillHolds(streams, isAlone ? (command?.redirects ?? []) : []);
  const reply = yield { call: "spawn", body, pid, holds };
  if (reply.reply === "done") {
    variables.lastBackground = pid;
    variables.lastCode = 0;
    return;
  }
  yield* streams.stderr.write(encodeText(`${process.name}: can't fork\n`));
  variables.lastCode = 2;
}

function* runCommand(shell: Shell, command: Command, outer: Streams): Running {
  const { process, variables } = shell;
  const { directory } = variables;
  const scope = { directory, container: process.container, parameters: variables };
  const redirected = redirect(outer, command.redirects, scope);
  if (!redirected.ok) {
    yield* outer.stderr.write(encodeText(`${process.name}: ${redirected.message}\n`));
    return status(1);
  }
  const { streams } = redirected;
  switch (command.command) {
    case "simple":
      return yield* runSimple(shell, command, streams);
    case "group":
      return yield* runLines(shell, command.body, streams);
    case "subshell": {
      const forked = { ...shell, variables: variables.fork() };
      const ending = yield* runLines(forked, command.body, streams);
      return ending.end === "exit" ? status(ending.code) : ending;
    }
  }
}

function* runLines(shell: Shell, lines: readonly List[], streams: Streams): Running {
  return yield* runScript(shell, { lines, problem: undefined }, streams);
}

function* runSimple(
  shell: Shell,
  command: Command & { readonly command: "simple" },
  streams: Streams,
): Running {
  const { process, variables } = shell;
  const argv = expandWords(command.words, variables);
  const [name] = argv;
  const assigned = command.assignments.map(
    (assignment) => [assignment.name, expandText(assignment.value, variables)] as const,
  );
  if (name === undefined) {
    for (const [key, value] of assigned) variables.set(key, value);
    return status(0);
  }
  const child: Process = {
    ...process,
    ...streams,
    argv,
    directory: variables.directory,
    environment: new Map([...variables.environment(), ...assigned]),
  };
  const builtin = SHELL_BUILTINS.get(name);
  if (builtin !== undefined) return yield* builtin(child, variables);
  const program = PROGRAM_BUILTINS.get(name);
  if (program !== undefined) return yield* program(child);
  if (UNKNOWN_BUILTINS.has(name)) return yield* missing(child, notSimulated(`"${name}"`));
  return yield* runProgram(child, name, streams);
}

function* runProgram(child: Process, name: string, streams: Streams): Running {
  const program = child.find(name);
  if (program === undefined) return yield* missing(child, `${name}: not found`);
  const pid = child.container.nextPid();
  const lineage = [pid, ...child.lineage];
  const ending = yield* program({ ...child, pid, lineage, name: baseName(name) });
  const death = ending.end === "status" ? ending.signal : undefined;
  const said = death === undefined ? undefined : describeDeath(death);
  if (said !== undefined) yield* streams.stderr.write(encodeText(`${said}\n`));
  return ownEnding(ending, pid);
}

/** What a program's ending is to the shell that ran it: a signal meant for it has only ended it. */
function ownEnding(ending: Ending, pid: number): Ending {
  if (ending.end === "exit") return status(ending.code);
  if (ending.end === "killed" && ending.pid === pid) return status(128 + ending.signal);
  return ending.end === "status" ? status(ending.code) : ending;
}

function* missing(process: Process, message: string): Running {
  yield* process.stderr.write(encodeText(`${process.name}: ${message}\n`));
  return status(127);
}
