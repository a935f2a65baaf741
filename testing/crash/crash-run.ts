import type { BundledProgram } from "../programs/bundle-program.js";
import { checkFacts, type Broken } from "./check-facts.js";
import type { CountingCluster } from "./cluster.js";
import { makeFurnishedStore, type FurnishedStore } from "./furnished-store.js";
import { runLife, type Kill, type Life } from "./life.js";
import type { ChildLine, ChildPlan } from "./plan.js";

/** Where a run's processes live, and who hears of it. */
export interface CrashRunParts {
  readonly folder: string;
  readonly program: BundledProgram;
  readonly cluster: CountingCluster;
  readonly log: (line: string) => void;
}

/** What one life is told beside what every life is told. */
export type LifePlan = Pick<ChildPlan, "thread" | "killAt" | "writesPerLane" | "deployments">;

/** What a run came to so far. */
export interface CrashTally {
  /** Lives in all, those that ended in order included. */
  readonly lives: number;
  readonly acknowledged: number;
  readonly requests: number;
  /** Attempts by the state in which they ended. */
  readonly states: Readonly<Record<string, number>>;
  readonly broken: Broken;
}

/** One store, and the lives of processes that work on it one after another. */
export interface StoreUnderTest {
  /** A life after which nobody looks: looking recovers. */
  live(plan: LifePlan, kill: Kill | null): Promise<Life>;
  /** A life, and then everything held against what all lives were acknowledged. */
  liveAndCheck(plan: LifePlan, kill: Kill | null, name: string): Promise<Life>;
}

/** Lives of processes, and what was found of them. */
export interface CrashRun {
  openStore(): Promise<StoreUnderTest>;
  tally(): CrashTally;
}

/** A run on this cluster, in this folder. */
export function makeCrashRun(parts: CrashRunParts): CrashRun {
  const { folder, cluster } = parts;
  const findings: Findings = {
    lives: 0,
    acknowledged: 0,
    attempts: new Map(),
    broken: [],
  };
  return {
    openStore: async () => {
      const store = await makeFurnishedStore(folder);
      return makeStoreUnderTest(parts, findings, store);
    },
    tally: () => {
      const { lives, acknowledged, attempts, broken } = findings;
      const states: Record<string, number> = {};
      for (const state of attempts.values()) states[state] = (states[state] ?? 0) + 1;
      return { lives, acknowledged, broken, states, requests: cluster.requestCount() };
    },
  };
}

interface Findings {
  lives: number;
  acknowledged: number;
  /** Every attempt that a ledger knows, and how it ended. */
  readonly attempts: Map<string, string>;
  readonly broken: string[];
}

function makeStoreUnderTest(
  parts: CrashRunParts,
  findings: Findings,
  store: FurnishedStore,
): StoreUnderTest {
  const { program, cluster, log } = parts;
  const acknowledged: ChildLine[] = [];

  async function live(plan: LifePlan, kill: Kill | null): Promise<Life> {
    const life = await runLife(program.path, makePlan(parts, store, plan), kill);
    const told = life.lines.filter((line) => line.kind !== "boundary");
    acknowledged.push(...told);
    findings.lives += 1;
    findings.acknowledged += told.length;
    return life;
  }

  async function check(name: string): Promise<void> {
    const { broken, states } = await checkFacts(store, acknowledged, cluster.patches());
    for (const [id, state] of states) findings.attempts.set(id, state);
    for (const one of [...broken, ...findStrangers(cluster, findings)]) {
      findings.broken.push(`${name}: ${one}`);
      log(`BROKEN ${name}: ${one}`);
    }
  }

  return {
    live,
    liveAndCheck: async (plan, kill, name) => {
      const life = await live(plan, kill);
      await check(name);
      return life;
    },
  };
}

function makePlan({ cluster, program }: CrashRunParts, store: FurnishedStore, plan: LifePlan) {
  const { directory, pending, keyFile, audience } = store;
  const { source, probed } = cluster;
  const workerUrl = program.workerUrl.href;
  const fixed = { directory, pending, keyFile, audience, source, probed, workerUrl };
  return { ...fixed, staleEvery: 2, ...plan };
}

/** A request that no ledger knows was sent without having been written down. */
function findStrangers(cluster: CountingCluster, { attempts }: Findings): Broken {
  return [...cluster.patches().keys()]
    .filter((id) => !attempts.has(id))
    .map((id) => `a request came for ${id}, which no ledger knows`);
}
