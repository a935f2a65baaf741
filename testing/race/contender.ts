import { readFileSync, writeSync } from "node:fs";
import { openHost } from "@connectors/runtime";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { must } from "../programs/cluster-host.js";
import { registerPeer } from "./counting-peer.js";

/** What one of many processes is told: the same frozen write, the same proof, the same store. */
export interface ContenderPlan {
  readonly directory: string;
  readonly audience: string;
  readonly port: number;
  readonly preparedFile: string;
  readonly proofFile: string;
}

/** What it was answered. */
export interface ContenderAnswer {
  readonly classification: string;
  readonly code: string | null;
  readonly attempt: string | null;
  readonly replayed: boolean;
}

const plan = JSON.parse(process.argv[2] ?? "") as ContenderPlan;
const { directory } = plan;
const store = must(await openSqliteJournal({ directory, create: false, thread: "caller" }));
const host = must(
  await openHost({
    ...store,
    adapters: [registerPeer(plan.port)],
    ambient: makeSystemAmbient(),
    audience: plan.audience,
    caller: "os:ada",
    separationOf: () => Promise.resolve("none"),
    pid: process.pid,
  }),
);
const frozen = must(await host.openPrepared(readFileSync(plan.preparedFile)));
const jws = readFileSync(plan.proofFile, "utf8");
writeSync(1, "ready\n");
await new Promise<void>((resolve) => {
  process.stdin.once("data", () => resolve());
});
process.stdin.destroy();
const { signal } = new AbortController();
const told = await frozen.commit({ proof: { jws }, signal });
const answer: ContenderAnswer = {
  classification: told.classification,
  code: told.failure?.code ?? null,
  attempt: told.attempt?.id ?? null,
  replayed: told.replayed,
};
writeSync(1, `${JSON.stringify(answer)}\n`);
await host.close();
await store.journal.close();
