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
  readonly seed: number;
  readonly log: (line: string) => void;
}

/** Lives that one store has, so that recoveries of recoveries are met too. */
const livesPerStore = 25;
const lanes = 4;
/** Most kills fall within this of a life's first word, or of its start. */
const delayMsMax = 400;

/** Kills processes at every boundary of a write, then at `kills` random instants. */
export async function runCrashes({ kills, seed, log }: CrashOptions): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), "connectors-crash-"));
  const program = await bundleProgram(join(import.meta.dirname, "child.ts"));
  const cluster = await openCountingCluster(folder, lanes);
  try {
    const run = makeRun({ folder, program, cluster, log });
    const boundaries = await run.killAtBoundaries();
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
    killAtBoundaries: async (): Promise<readonly string[]> => {
      const names: string[] = [];
      const lane = cluster.deployments.slice(0, 1);
      for (let killAt = 1; ; killAt += 1) {
        const under = await openStoreUnderTest();
        const thread = killAt % 2 === 0 ? "worker" : "caller";
        const shape = { thread, writesPerLane: 2, deployments: lane } as const;
        const life = await live(under, makePlan(under, { ...shape, killAt }), null, `at ${killAt}`);
        const name = life.lines.findLast((line) => line.kind === "boundary")?.name ?? "nothing";
        if (life.end === "done") return names;
        names.push(name);
        log(`killed at ${killAt}, ${name}`);
        // The next life finishes what this one left: under its key it is answered, not sent again.
        const next = makePlan(under, { ...shape, killAt: null });
        await live(under, next, null, `after a kill at ${name}`);
        closeStoreUnderTest();
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
