import { matchesPattern } from "../faults/pattern.js";
import {
  encodeText,
  status,
  type Ending,
  type Process,
  type Program,
  type Running,
} from "./process/program.js";
import type { ExecPod } from "./session.js";

/** One piece of a scripted command's output. */
export interface ScriptFrame {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
  /** Waited for before it is written. */
  readonly delayMs: number;
}

/** How a scripted command ends: by an exit code, unheard, or in words of its own. */
export type ScriptEnd =
  | { readonly end: "exit"; readonly code: number }
  | { readonly end: "lost" }
  | { readonly end: "status"; readonly text: string };

/** A command whose argv is exactly `argv`, whatever the container has. */
export interface ScriptedCommand {
  readonly argv: readonly string[];
  readonly frames: readonly ScriptFrame[];
  readonly end: ScriptEnd;
  /** Waited for between the last frame and the end. */
  readonly endDelayMs: number;
}

/** Which containers a script is about. What is absent matches all; `*` is any run of characters. */
export interface ScriptTarget {
  readonly namespace?: string;
  readonly pod?: string;
  readonly deployment?: string;
  readonly container?: string;
  /** Labels that the Pod has, with exactly these values. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What a seed adds to the containers of some Pods. */
export interface ExecScript {
  readonly target: ScriptTarget;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly environment: ReadonlyMap<string, string>;
  readonly commands: readonly ScriptedCommand[];
}

/** All that a seed says about one container, later scripts over earlier ones. */
export interface ContainerScript {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly environment: ReadonlyMap<string, string>;
  /** The program for exactly this argv, if a script has one. */
  readonly find: (argv: readonly string[]) => Program | undefined;
}

/** What `scripts` say about a container of `pod`. */
export function scriptFor(
  scripts: readonly ExecScript[],
  pod: ExecPod,
  container: string,
): ContainerScript {
  const matching = scripts.filter(({ target }) => matchesTarget(target, pod, container));
  return {
    files: new Map(matching.flatMap(({ files }) => [...files])),
    environment: new Map(matching.flatMap(({ environment }) => [...environment])),
    find: (argv) => {
      const command = matching
        .flatMap(({ commands }) => commands)
        .findLast((each) => equalArgv(each.argv, argv));
      return command && ((process) => play(command, process));
    },
  };
}

function* play(command: ScriptedCommand, process: Process): Running {
  for (const frame of command.frames) {
    if (frame.delayMs > 0) yield { call: "sleep", ms: frame.delayMs };
    yield* process[frame.stream].write(frame.bytes);
  }
  if (command.endDelayMs > 0) yield { call: "sleep", ms: command.endDelayMs };
  return endingOf(command.end);
}

function endingOf(end: ScriptEnd): Ending {
  switch (end.end) {
    case "exit":
      return status(end.code);
    case "lost":
      return { end: "lost" };
    case "status":
      return { end: "answered", status: end.text };
  }
}

function matchesTarget(target: ScriptTarget, pod: ExecPod, container: string): boolean {
  const matches = (pattern: string | undefined, name: string | undefined): boolean =>
    pattern === undefined || (name !== undefined && matchesPattern(pattern, name));
  return (
    matches(target.namespace, pod.namespace) &&
    matches(target.pod, pod.name) &&
    matches(target.deployment, pod.deployment) &&
    matches(target.container, container) &&
    Object.entries(target.labels ?? {}).every(([name, value]) => pod.labels[name] === value)
  );
}

function equalArgv(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index]);
}

/** A frame of text, for scripts that are written in code. */
export function textFrame(stream: ScriptFrame["stream"], text: string, delayMs = 0): ScriptFrame {
  return { stream, bytes: encodeText(text), delayMs };
}
