import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WriteAnswer } from "@connectors/domain";
import { openConnection } from "@connectors/kubernetes-client/node";
import type { FrozenWrite, Host } from "@connectors/runtime";
import type { Proof } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { must, openClusterHost } from "../programs/cluster-host.js";
import { freezeRestart, openReadyApprover, patience } from "../programs/frozen-restart.js";
import { makeBoundaries, tell, watchConnection, watchJournal, watchLocks } from "./boundaries.js";
import type { ChildPlan } from "./plan.js";

// One life of a real host on a real store: it finishes what an earlier life left, commits writes
// in several lanes at once, and ends in order unless it is killed.

const plan = JSON.parse(process.argv[2] ?? "") as ChildPlan;
const boundaries = makeBoundaries(plan.killAt);
const store = must(
  await openSqliteJournal({
    directory: plan.directory,
    create: false,
    thread: plan.thread,
    workerUrl: new URL(plan.workerUrl),
  }),
);
const connection = openConnection({ source: plan.source, ambient: makeSystemAmbient() });
const host = must(
  await openClusterHost(plan, {
    journal: watchJournal(store.journal, boundaries),
    locks: watchLocks(store.locks, boundaries),
    connection: watchConnection(connection, boundaries),
  }),
);
const approver = openReadyApprover(plan.keyFile);

tell({ kind: "ready" });
await finishPending(host);
await Promise.all(plan.deployments.map((name) => runLane(host, name)));
await host.close();
boundaries.cross("journal close asked");
await store.journal.close();
boundaries.cross("journal closed");
await connection[Symbol.asyncDispose]();
tell({ kind: "done" });

async function runLane(opened: Host, name: string): Promise<void> {
  for (let n = 1; n <= plan.writesPerLane; n += 1) {
    const key = `${name}-${process.pid}-${n}`;
    const frozen = await freezeRestart(opened, name, { key, stale: n % plan.staleEvery === 0 });
    const file = frozen.preparedBytes;
    await commit(frozen, must(await approver.approve({ file }, { signal: patience() })));
  }
}

/** Under the same key and proof an earlier life's write is answered, or sent for the first time. */
async function finishPending(opened: Host): Promise<void> {
  for (const name of readdirSync(plan.pending).toSorted()) {
    const text = readFileSync(join(plan.pending, name), "utf8");
    // Its process ended between making the file and filling it, before anything was tried.
    if (text === "") continue;
    const kept: unknown = JSON.parse(text);
    const { file, jws } = kept as { readonly file: string; readonly jws: string };
    const frozen = must(await opened.openPrepared(Buffer.from(file, "base64")));
    await commit(frozen, { jws });
  }
}

async function commit(frozen: FrozenWrite, proof: Proof): Promise<void> {
  const key = frozen.key ?? "";
  const path = join(plan.pending, `${key}.json`);
  const file = Buffer.from(frozen.preparedBytes).toString("base64");
  writeFileSync(path, JSON.stringify({ file, jws: proof.jws }));
  const answer = await frozen.commit({ proof, signal: patience() });
  tellAnswer(key, answer);
  rmSync(path);
}

function tellAnswer(key: string, answer: WriteAnswer): void {
  const { classification, replayed, attempt } = answer;
  tell({ kind: "answer", key, classification, replayed, attempt: attempt?.id ?? null });
}
