import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type SourceFile, readSources, rosterPath } from "../read/read-model.js";
import { type CommandLine, helpText, readCommandLine } from "./options.js";

/** What a command may use of the process that runs it. */
export interface CommandHost {
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly nowMs: () => number;
}

/** Runs one command line; the answer is the exit code. */
export async function runCommand(argv: readonly string[], host: CommandHost): Promise<number> {
  const line = readCommandLine(argv);
  switch (line.command) {
    case "help":
      host.out(helpText);
      return 0;
    case "usage":
      host.err(`ess: ${line.problem}\n\n${helpText}`);
      return 2;
    case "explain": {
      const { explain } = await import("./explain.js");
      return explain(line.code, host);
    }
    case "check":
    case "generate":
      return runOnModels(line, host);
  }
}

async function runOnModels(
  line: CommandLine & { readonly command: "check" | "generate" },
  host: CommandHost,
): Promise<number> {
  const root = findRoot(resolve(host.cwd, line.root ?? "."));
  if (root === undefined) {
    host.err(`ess: there is no ${rosterPath} here or above`);
    return 2;
  }
  const stages = new Map<string, number>();
  const run = <T>(name: string, stage: () => T): T => {
    const startMs = host.nowMs();
    const result = stage();
    stages.set(name, (stages.get(name) ?? 0) + host.nowMs() - startMs);
    return result;
  };
  const files = run("read", () => readSources(root));
  const job = { root, files, run, host, format: line.format, verifyOnly: line.verifyOnly };
  const exitCode = await (line.command === "check" ? check(job) : generate(job));
  if (line.timings) {
    for (const [name, ms] of stages) host.err(`${name.padEnd(18)}${ms.toFixed(1).padStart(8)} ms`);
  }
  return exitCode;
}

/** One run over the models of one root. */
export interface Job {
  readonly root: string;
  readonly files: readonly SourceFile[];
  readonly run: <T>(name: string, stage: () => T) => T;
  readonly host: CommandHost;
  readonly format: "text" | "json";
  readonly verifyOnly: boolean;
}

// The stages are loaded when they are needed: an unchanged tree never parses YAML.
async function check(job: Job): Promise<number> {
  const { runCheck } = await import("./check-command.js");
  return runCheck(job) === undefined ? 1 : 0;
}

async function generate(job: Job): Promise<number> {
  const { runGenerate } = await import("./generate-command.js");
  return runGenerate(job);
}

function findRoot(from: string): string | undefined {
  if (existsSync(join(from, rosterPath))) return from;
  const parent = dirname(from);
  return parent === from ? undefined : findRoot(parent);
}
