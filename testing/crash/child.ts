import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  operationDeclarations,
  parseKubernetesConfiguration,
  parseName,
  type WriteAnswer,
} from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import { openConnection } from "@connectors/kubernetes-client/node";
import {
  makeKeyApprover,
  openHost,
  openPrivateKey,
  parsePrivateKeyBytes,
  type FrozenWrite,
  type Host,
} from "@connectors/runtime";
import type { Approver, Json, Outcome, Proof } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { makeBoundaries, tell, watchConnection, watchJournal, watchLocks } from "./boundaries.js";
import type { ChildPlan } from "./plan.js";

// One life of a real host on a real store: it finishes what an earlier life left, commits writes
// in several lanes at once, and ends in order unless it is killed.

const plan = JSON.parse(process.argv[2] ?? "") as ChildPlan;
const ambient = makeSystemAmbient();
const boundaries = makeBoundaries(plan.killAt);

function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

const store = must(
  await openSqliteJournal({
    directory: plan.directory,
    create: false,
    thread: plan.thread,
    workerUrl: new URL(plan.workerUrl),
  }),
);
const connection = openConnection({ source: plan.source, ambient });
const host = must(await openRealHost());
const approver = openApprover();

tell({ kind: "ready" });
await finishPending(host);
await Promise.all(plan.deployments.map((name) => runLane(host, name)));
await host.close();
boundaries.cross("journal close asked");
await store.journal.close();
boundaries.cross("journal closed");
await connection[Symbol.asyncDispose]();
tell({ kind: "done" });

function openRealHost(): Promise<Outcome<Host>> {
  const configuration = parseKubernetesConfiguration({
    namespaces: ["web"],
    operations: ["deployment.rollout_restart"],
    exec_subprotocols: ["v4"],
    intermediary: "none",
  });
  const instance = parseName("prod");
  if (!configuration.ok || !instance.ok) throw new Error("the configuration fits its model");
  const adapter = makeKubernetesAdapter({
    instance: instance.value,
    configuration: configuration.value,
    clock: ambient.clock,
  });
  return openHost({
    journal: watchJournal(store.journal, boundaries),
    locks: watchLocks(store.locks, boundaries),
    adapters: [
      {
        name: instance.value,
        adapter,
        connection: watchConnection(connection, boundaries),
        probed: { provider: plan.probed, at_ms: 0 },
      },
    ],
    ambient,
    audience: plan.audience,
    caller: "os:ada",
    separationOf: () => Promise.resolve("none"),
    pid: process.pid,
  });
}

function openApprover(): Approver {
  const key = must(openPrivateKey(must(parsePrivateKeyBytes(readFileSync(plan.keyFile))), null));
  return makeKeyApprover({
    key,
    view: { declarations: operationDeclarations, clusters: [] },
    ambient,
    acceptUnknownCluster: true,
    confirm: () => Promise.resolve(true),
  });
}

async function runLane(opened: Host, name: string): Promise<void> {
  for (let n = 1; n <= plan.writesPerLane; n += 1) {
    const current = must(
      await opened.read({
        adapter: "prod",
        operation: "deployments.get",
        input: { namespace: "web", name },
        signal: patience(),
      }),
    );
    const stale = n % plan.staleEvery === 0;
    const frozen = must(
      await opened.freezeWrite({
        adapter: "prod",
        operation: "deployment.rollout_restart",
        input: {
          namespace: "web",
          name,
          uid: memberOf(current, "uid"),
          resource_version: stale ? "1" : memberOf(current, "resource_version"),
        },
        key: `${name}-${process.pid}-${n}`,
      }),
    );
    const file = frozen.preparedBytes;
    const proof = must(await approver.approve({ file }, { signal: patience() }));
    await commit(frozen, proof);
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

function memberOf(value: Json, name: string): Json {
  const member = typeof value === "object" && value !== null && !Array.isArray(value);
  return member ? ((value as { readonly [name: string]: Json })[name] ?? null) : null;
}

function patience(): AbortSignal {
  return new AbortController().signal;
}
