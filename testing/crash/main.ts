import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

// `npx tsx testing/crash/main.ts --kills 500 [--seed N]`: processes killed at every boundary of a
// write and at random instants, on SQLite, with the simulator counting.

const condition = "--conditions=@connectors/source";

if (!process.execArgv.includes(condition)) {
  // The packages are taken from their sources, whatever was built last.
  const argv = [condition, "--import", "tsx", fileURLToPath(import.meta.url)];
  const { status } = spawnSync(process.execPath, [...argv, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}

const { values } = parseArgs({
  options: { kills: { type: "string", default: "500" }, seed: { type: "string" } },
});
const kills = Number(values.kills);
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed);
if (!Number.isSafeInteger(kills) || kills < 0 || !Number.isSafeInteger(seed)) {
  console.error("usage: npx tsx testing/crash/main.ts [--kills N] [--seed N]");
  process.exit(2);
}

const { runCrashes } = await import("./run-crashes.js");
const startedMs = performance.now();
console.log(`seed ${seed}`);
const report = await runCrashes({
  kills,
  boundaries: "every",
  seed,
  log: (line) => console.log(line),
});
console.log(
  `${report.boundaries.length} boundaries and ${report.randomKills} random kills of ${kills} in ` +
    `${Math.round((performance.now() - startedMs) / 1000)} s: ${report.lives} lives, ` +
    `${report.acknowledged} acknowledged facts, ${report.requests} requests, attempts ` +
    JSON.stringify(report.states),
);
console.log(`${report.broken.length} broken promises`);
process.exitCode = report.broken.length === 0 ? 0 : 1;
