import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "../programs/bundle-program.js";
import { makeSeeded } from "../programs/seeded.js";
import { openCountingCluster } from "./cluster.js";
import { makeCrashRun, type CrashRun, type CrashTally, type LifePlan } from "./crash-run.js";
import type { Kill, Life } from "./life.js";

/** What a run of kills came to. */
export interface CrashReport extends CrashTally {
  readonly seed: number;
  /** The boundaries at which a process was killed, in the order in which a life crosses them. */
  readonly boundaries: readonly string[];
  /** Kills at random instants that found their process alive. */
  readonly randomKills: number;
}

export interface CrashOptions {
  readonly kills: number;
  /** Every crossing of a boundary, or only those that differ from an earlier one. */
  readonly boundaries: "every" | "different";
  readonly seed: number;
  readonly log: (line: string) => void;
}

/** Lives that one store has, so that recoveries of recoveries are met too. */
const livesPerStore = 25;
const lanes = 4;
/**
 * Kills fall a little after one of a life's first lines, so that slow machines are killed in the
 * middle of things too; one in five falls somewhere in its start.
 */
const linesMax = 60;
const lineDelayMsMax = 25;
const startDelayMsMax = 500;

/** Kills processes at every boundary of a write, then at random instants. */
export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  const { kills, seed, log } = options;
  const folder = mkdtempSync(join(tmpdir(), "connectors-crash-"));
  const program = await bundleProgram(join(import.meta.dirname, "child.ts"));
  const cluster = await openCountingCluster(folder, lanes);
  const run = makeCrashRun({ folder, program, cluster, log });
  const { deployments } = cluster;
  try {
    const boundaries = [
      ...(await killAtBoundaries(run, deployments, options)),
      ...(await killAtRecovery(run, deployments, log)),
    ];
    const randomKills = await killAtRandom(run, deployments, { kills, seed, log });
    return { seed, boundaries, randomKills, ...run.tally() };
  } finally {
    await cluster.close();
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Deployments = readonly string[];

async function killAtBoundaries(
  run: CrashRun,
  deployments: Deployments,
  { boundaries, log }: Pick<CrashOptions, "boundaries" | "log">,
): Promise<readonly string[]> {
  const crossings = await listCrossings(run, deployments);
  const names: string[] = [];
  for (const [at, name] of crossings.entries()) {
    if (boundaries === "different" && isRepetition(crossings, at)) continue;
    const killAt = at + 1;
    const store = await run.openStore();
    await store.liveAndCheck(planOneLane(deployments, killAt), null, `a kill at ${name}`);
    // The next life finishes what this one left: under its key it is answered, not sent again.
    await store.liveAndCheck(planOneLane(deployments, null), null, `after a kill at ${name}`);
    names.push(name);
    log(`killed at ${killAt}, ${name}`);
  }
  return names;
}

/** Kills the process that recovers a process that was killed with its gate open. */
async function killAtRecovery(
  run: CrashRun,
  deployments: Deployments,
  log: CrashOptions["log"],
): Promise<readonly string[]> {
  const gateAt = (await listCrossings(run, deployments)).indexOf("gate acknowledged") + 1;
  const names: string[] = [];
  for (let killAt = 1; ; killAt += 1) {
    const store = await run.openStore();
    await store.live(planOneLane(deployments, gateAt), null);
    const plan = planOneLane(deployments, killAt);
    const life = await store.liveAndCheck(plan, null, `a kill ${killAt} in a recovery`);
    const name = lastBoundary(life);
    // Past its recovery a process does what every other one does.
    if (name === "capture asked") return names;
    names.push(`recovery: ${name}`);
    log(`killed in a recovery at ${killAt}, ${name}`);
  }
}

async function killAtRandom(
  run: CrashRun,
  deployments: Deployments,
  { kills, seed, log }: Pick<CrashOptions, "kills" | "seed" | "log">,
): Promise<number> {
  const chance = makeSeeded(seed);
  let killed = 0;
  let store = await run.openStore();
  for (let n = 1; n <= kills; n += 1) {
    const kill: Kill =
      chance.below(5) === 0
        ? { line: 0, delayMs: chance.below(startDelayMsMax) }
        : { line: 1 + chance.below(linesMax), delayMs: chance.below(lineDelayMsMax) };
    const thread = chance.below(2) === 0 ? "worker" : "caller";
    const plan = { thread, writesPerLane: 1000, killAt: null, deployments } as const;
    const life = await store.liveAndCheck(plan, kill, `kill ${n} of seed ${seed}`);
    if (life.end === "killed") killed += 1;
    if (n % livesPerStore === 0) {
      log(`${n} of ${kills} kills`);
      store = await run.openStore();
    }
  }
  return killed;
}

/** The boundaries of a life that nobody kills, in order. */
async function listCrossings(run: CrashRun, deployments: Deployments): Promise<readonly string[]> {
  const store = await run.openStore();
  const plan = planOneLane(deployments, Number.MAX_SAFE_INTEGER);
  const { lines } = await store.liveAndCheck(plan, null, "a life without a kill");
  return lines.flatMap((line) => (line.kind === "boundary" ? [line.name] : []));
}

/** Two writes, one after the other: the second is refused. */
function planOneLane(deployments: Deployments, killAt: number | null): LifePlan {
  const thread = (killAt ?? 0) % 2 === 0 ? "worker" : "caller";
  return { thread, killAt, writesPerLane: 2, deployments: deployments.slice(0, 1) };
}

/**
 * The second write of a life repeats the first one's boundaries; what differs is that it is
 * refused, which shows from its answer on.
 */
function isRepetition(crossings: readonly string[], at: number): boolean {
  const name = crossings[at] ?? "";
  const afterAnswer = /^(send answered|settle)/.test(name);
  return crossings.indexOf(name) < at && !afterAnswer;
}

function lastBoundary(life: Life): string {
  return life.lines.findLast((line) => line.kind === "boundary")?.name ?? "nothing";
}
