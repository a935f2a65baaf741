import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The built command, as users run it. */
export const connectorsPath: string = fileURLToPath(
  new URL("../../bin/connectors.js", import.meta.url),
);

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What surrounds a command. */
export interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What stdin brings; it is empty without. */
  readonly stdin?: string;
  /** Left as it is, never ended: a command that reads it waits. */
  readonly stdinOpen?: boolean;
  /** What runs the command instead of Node alone, such as a shell with limits. */
  readonly before?: readonly string[];
}

/** A command on its way. */
export interface Running {
  readonly ended: Promise<Ended>;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

// A command that hangs is a failure of its test, told with what it wrote.
const patienceMs = 60_000;

/** The environment of a command: nothing of the developer's own state, clusters or colours. */
export function plainEnvironment(
  more: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { PATH = "" } = process.env;
  return { PATH, HOME: "/nonexistent", TERM: "xterm", ...more };
}

function collect(child: Child): Running {
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const late = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const ended = new Promise<Ended>((done, broken) => {
    child.on("error", broken);
    child.on("close", (code, signal) => {
      clearTimeout(late);
      done({ code, signal, stdout, stderr });
    });
  });
  return {
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
  };
}

/** Starts the built command. */
export function startCommand(args: readonly string[], around: Surroundings): Running {
  const { before = [], cwd, environment, stdin = "", stdinOpen = false } = around;
  const [program = "", ...rest] = [...before, process.execPath, connectorsPath, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: plainEnvironment(environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  // Who does not read its input must not end this test.
  child.stdin.on("error", () => undefined);
  if (stdin !== "" || !stdinOpen) child.stdin.end(stdin);
  return collect(child);
}
