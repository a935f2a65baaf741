import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describeSpread, spreadOf, type Line, type Spread } from "./figures.js";

const rounds = 15;

/** How long a program takes from its start to its end, in milliseconds. */
export function timeProgram(
  argv: readonly string[],
  options: { readonly environment?: Readonly<Record<string, string>>; readonly code?: number } = {},
): number {
  const began = performance.now();
  const done = spawnSync(process.execPath, [...argv], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "", ...options.environment },
  });
  if (done.status !== (options.code ?? 0)) {
    throw new Error(`${argv.join(" ")} exited ${done.status}: ${done.stderr.toString()}`);
  }
  return performance.now() - began;
}

/** The command's executable, as users run it. */
export const connectors: string = join(
  import.meta.dirname,
  "..",
  "packages",
  "cli",
  "bin",
  "connectors.js",
);

/** Alternating runs of a bare Node and of something else. */
export function beside(
  run: (round: number) => number,
  count = rounds,
): { readonly node: Spread; readonly it: Spread } {
  const node: number[] = [];
  const it: number[] = [];
  for (let round = 0; round < count; round += 1) {
    node.push(timeProgram(["-e", "0"]));
    it.push(run(round));
  }
  return { node: spreadOf(node), it: spreadOf(it) };
}

/** The command's cold start beside a bare Node's. */
export function benchStart(): readonly Line[] {
  const { node, it } = beside(() => timeProgram([connectors, "--help"]));
  return [
    {
      name: "`connectors --help`, against `node -e 0`",
      ratio: it.median / node.median,
      bound: 3,
      sense: "at most",
      detail: `${rounds} runs each; node ${describeSpread(node, "ms")}; help ${describeSpread(it, "ms")}`,
    },
  ];
}
