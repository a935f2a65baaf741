import { findProgram } from "./programs/programs.js";
import { isInteractive } from "./shell/sh.js";
import { baseName, resolvePath, type Container } from "./process/container.js";
import type { GroupStart } from "./process/process-group.js";
import type { Process, Program } from "./process/program.js";
import { commandInput, commandOutput } from "./process/streams.js";

/** A command that can be started, or why the container runtime cannot start it. */
export type Startable =
  | { readonly kind: "program"; readonly start: GroupStart }
  | { readonly kind: "failure"; readonly why: string };

/** What a command is started with. */
export interface CommandSetting {
  readonly argv: readonly string[];
  readonly tty: boolean;
  readonly container: Container;
  readonly environment: ReadonlyMap<string, string>;
  /** What a script has for this argv. */
  readonly scripted: Program | undefined;
  /** The id that the runtime gives this exec. */
  readonly execId: string;
}

/** Finds what `argv` names; the complaints are those of containerd and runc. */
export function prepareCommand(setting: CommandSetting): Startable {
  const { argv, container, scripted, execId } = setting;
  const [name] = argv;
  const program = scripted ?? (name === undefined ? undefined : findProgram(name));
  if (program === undefined) {
    const why = name === undefined ? "args must not be empty" : whyNotStarted(name, container);
    return { kind: "failure", why: describeStartFailure(execId, why) };
  }
  const pid = container.nextPid();
  return {
    kind: "program",
    start: {
      pid,
      body: program(makeProcess(setting, pid)),
      takesInterrupts: scripted === undefined && isShell(name) && isInteractive(argv, setting.tty),
    },
  };
}

/** What containerd says of an exec whose container's shim has died. */
export function describeLostRuntime(execId: string): string {
  const lost = `failed while waiting for exec "${execId}": ttrpc: closed: unknown`;
  return `failed to exec in container: ${lost}`;
}

/** What containerd says of an exec that there is no room for. */
export function describeFullRuntime(execId: string): string {
  const full = `failed to create exec "${execId}": too many commands: unknown`;
  return `failed to exec in container: ${full}`;
}

function makeProcess(setting: CommandSetting, pid: number): Process {
  const { argv, tty, container, environment } = setting;
  return {
    argv,
    name: baseName(argv[0] ?? ""),
    pid,
    lineage: [pid],
    environment,
    directory: "/",
    stdin: commandInput,
    stdout: commandOutput("stdout"),
    stderr: commandOutput("stderr"),
    tty,
    container,
    find: findProgram,
  };
}

function isShell(name: string | undefined): boolean {
  return name !== undefined && findProgram(name) === findProgram("sh");
}

function whyNotStarted(name: string, container: Container): string {
  const start = `unable to start container process: exec: ${JSON.stringify(name)}: `;
  if (!name.includes("/")) return `${start}executable file not found in $PATH`;
  const isThere = container.kindOf(resolvePath("/", name)) !== "missing";
  return isThere ? `${start}permission denied` : `${start}stat ${name}: no such file or directory`;
}

function describeStartFailure(execId: string, why: string): string {
  const failed = `failed to exec in container: failed to start exec "${execId}"`;
  return `${failed}: OCI runtime exec failed: exec failed: ${why}: unknown`;
}
