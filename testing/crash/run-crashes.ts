import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram, type BundledProgram } from "../programs/bundle-program.js";
import { makeSeeded } from "../programs/seeded.js";
import { checkFacts, type Broken, type Checked } from "./check-facts.js";
import { openCountingCluster, type CountingCluster } from "./cluster.js";
import { makeFurnishedStore, type FurnishedStore } from "./furnished-store.js";
import { runLife, type Kill, type Life } from "./life.js";
import type { ChildLine, ChildPlan } from "./plan.js";

/** What a run of kills came to. */
export interface CrashReport {
  readonly seed: number;
  /** The boundaries at which a process was killed, in the order in which a life crosses them. */
  readonly boundaries: readonly string[];
  /** Kills at random instants that found their process alive. */
  readonly randomKills: number;
  /** Lives in all, those that ended in order included. */
  readonly lives: number;
  readonly acknowledged: number;
  readonly requests: number;
  /** Attempts by the state in which they ended. */
  readonly states: Readonly<Record<string, number>>;
  readonly broken: Broken;
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
/** Most kills fall within this of a life's first word, or of its start. */
const delayMsMax = 400;

/** Kills processes at every boundary of a write, then at `kills` random instants. */
export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  const { kills, seed, log } = options;
  const folder = mkdtempSync(join(tmpdir(), "connectors-crash-"));
  const program = await bundleProgram(join(import.meta.dirname, "child.ts"));
  const cluster = await openCountingCluster(folder, lanes);
  try {
    const run = makeRun({ folder, program, cluster, log });
    const boundaries = await run.killAtBoundaries(options.boundaries);
    boundaries.push(...(await run.killAtRecovery()));
    const randomKills = await run.killAtRandom(kills, seed);
    return { seed, boundaries, randomKills, ...run.tally() };
  } finally {
    await cluster.close();
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunParts {
  readonly folder: string;
  readonly program: BundledProgram;
  readonly cluster: CountingCluster;
  readonly log: (line: string) => void;
}

/** A store under test, and everything that its processes were told. */
interface StoreUnderTest {
  readonly store: FurnishedStore;
  readonly acknowledged: ChildLine[];
}

function makeRun(parts: RunParts) {
  const { folder, program, cluster, log } = parts;
  const totals = { lives: 0, acknowledged: 0 };
  const states = new Map<string, number>();
  const known = new Set<string>();
  const broken: string[] = [];

  function makePlan(
    { store }: StoreUnderTest,
    change: Pick<ChildPlan, "thread" | "killAt" | "writesPerLane" | "deployments">,
  ): ChildPlan {
    const { directory, pending, keyFile, audience } = store;
    const { source, probed } = cluster;
    const workerUrl = program.workerUrl.href;
    const fixed = { directory, pending, keyFile, audience, source, probed, workerUrl };
    return { ...fixed, staleEvery: 2, ...change };
  }

  async function live(
    under: StoreUnderTest,
    plan: ChildPlan,
    kill: Kill | null,
    name: string,
  ): Promise<Life> {
    const life = await runLife(program.path, plan, kill);
    totals.lives += 1;
    const told = life.lines.filter((line) => line.kind !== "boundary");
    under.acknowledged.push(...told);
    totals.acknowledged += told.length;
    const checked = await checkFacts(under.store, under.acknowledged, cluster.patches());
    for (const id of checked.attempts) known.add(id);
    note(checked.broken, name);
    note(findStrangers(), name);
    last = checked;
    return life;
  }

  let last: Checked | undefined;

  function shapeOf(killAt: number) {
    const thread = killAt % 2 === 0 ? "worker" : "caller";
    const deployments = cluster.deployments.slice(0, 1);
    return { thread, writesPerLane: 2, deployments } as const;
  }

  /** The boundaries of a life that nobody kills, in order. */
  async function listCrossings(): Promise<readonly string[]> {
    const under = await openStoreUnderTest();
    const plan = makePlan(under, { ...shapeOf(1), killAt: Number.MAX_SAFE_INTEGER });
    const life = await live(under, plan, null, "a life without a kill");
    closeStoreUnderTest();
    return life.lines.flatMap((line) => (line.kind === "boundary" ? [line.name] : []));
  }

  /** A request that no ledger knows was sent without having been written down. */
  function findStrangers(): Broken {
    return [...cluster.patches().keys()]
      .filter((id) => !known.has(id))
      .map((id) => `a request came for ${id}, which no ledger knows`);
  }

  function note(found: Broken, name: string): void {
    for (const one of found) {
      broken.push(`${name}: ${one}`);
      log(`BROKEN ${name}: ${one}`);
    }
  }

  async function openStoreUnderTest(): Promise<StoreUnderTest> {
    return { store: await makeFurnishedStore(folder), acknowledged: [] };
  }

  function closeStoreUnderTest(): void {
    for (const [state, count] of last?.states ?? []) {
      states.set(state, (states.get(state) ?? 0) + count);
    }
    last = undefined;
  }

  return {
    killAtBoundaries: async (which: CrashOptions["boundaries"]): Promise<string[]> => {
      const crossings = await listCrossings();
      const names: string[] = [];
      for (const [at, name] of crossings.entries()) {
        if (which === "different" && isRepetition(crossings, at)) continue;
        const killAt = at + 1;
        const under = await openStoreUnderTest();
        const shape = shapeOf(killAt);
        await live(under, makePlan(under, { ...shape, killAt }), null, `a kill at ${name}`);
        names.push(name);
        log(`killed at ${killAt}, ${name}`);
        // The next life finishes what this one left: under its key it is answered, not sent again.
        const next = makePlan(under, { ...shape, killAt: null });
        await live(under, next, null, `after a kill at ${name}`);
        closeStoreUnderTest();
      }
      return names;
    },

    /** Kills the process that recovers a process that was killed with its gate open. */
    killAtRecovery: async (): Promise<readonly string[]> => {
      const gateAt = (await listCrossings()).indexOf("gate acknowledged") + 1;
      const names: string[] = [];
      for (let killAt = 1; ; killAt += 1) {
        const under = await openStoreUnderTest();
        const shape = shapeOf(killAt);
        // Not checked in between: whoever checks recovers.
        await runLife(program.path, makePlan(under, { ...shape, killAt: gateAt }), null);
        const plan = makePlan(under, { ...shape, killAt });
        const life = await live(under, plan, null, `a kill ${killAt} in a recovery`);
        closeStoreUnderTest();
        const name = lastBoundary(life);
        // Past its recovery a process does what every other one does.
        if (name === "capture asked") return names;
        names.push(`recovery: ${name}`);
        log(`killed in a recovery at ${killAt}, ${name}`);
      }
    },

    killAtRandom: async (kills: number, seed: number): Promise<number> => {
      const chance = makeSeeded(seed);
      let killed = 0;
      let under = await openStoreUnderTest();
      for (let n = 1; n <= kills; n += 1) {
        const kill: Kill = {
          from: chance.below(5) === 0 ? "start" : "ready",
          delayMs: chance.below(delayMsMax),
        };
        const plan = makePlan(under, {
          thread: chance.below(2) === 0 ? "worker" : "caller",
          writesPerLane: 1000,
          killAt: null,
          deployments: cluster.deployments,
        });
        const life = await live(under, plan, kill, `kill ${n} of seed ${seed}`);
        if (life.end === "killed") killed += 1;
        if (n % livesPerStore === 0) {
          log(`${n} of ${kills} kills`);
          closeStoreUnderTest();
          under = await openStoreUnderTest();
        }
      }
      closeStoreUnderTest();
      return killed;
    },

    tally: () => ({
      ...totals,
      requests: cluster.requestCount(),
      states: Object.fromEntries(states),
      broken,
    }),
  };
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
