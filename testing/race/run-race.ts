import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHost } from "@connectors/runtime";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { checkFacts } from "../crash/check-facts.js";
import { makeFurnishedStore, type FurnishedStore } from "../crash/furnished-store.js";
import { bundleProgram } from "../programs/bundle-program.js";
import { must } from "../programs/cluster-host.js";
import { openReadyApprover, patience } from "../programs/frozen-restart.js";
import type { ContenderAnswer, ContenderPlan } from "./contender.js";
import { openCountingPeer, peerDeclarations, registerPeer } from "./counting-peer.js";

/** What many processes that committed one write were answered, and what the peer saw. */
export interface RaceReport {
  readonly answers: readonly ContenderAnswer[];
  readonly requests: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, string>;
  readonly broken: readonly string[];
}

/** Lets `contenders` processes commit the same frozen write, with one key and one proof, at once. */
export async function runRace(contenders: number): Promise<RaceReport> {
  const folder = mkdtempSync(join(tmpdir(), "connectors-race-"));
  const program = await bundleProgram(join(import.meta.dirname, "contender.ts"));
  const peer = await openCountingPeer();
  try {
    const store = await makeFurnishedStore(folder);
    const plan = await freezeOne(store, peer.port, folder);
    const answers = await runContenders(program.path, plan, contenders);
    const requests = peer.counts();
    const { broken, states } = await checkFacts(store, [], requests);
    return { answers, requests, states, broken };
  } finally {
    await peer.close();
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processes that start at once; more would have each other's patience end before the race. */
const startsAtOnce = 4;

async function runContenders(
  program: string,
  plan: ContenderPlan,
  count: number,
): Promise<readonly ContenderAnswer[]> {
  const contenders: Contender[] = [];
  try {
    while (contenders.length < count) {
      const size = Math.min(startsAtOnce, count - contenders.length);
      const wave = Array.from({ length: size }, () => startContender(program, plan));
      contenders.push(...wave);
      await Promise.all(wave.map((contender) => contender.ready));
    }
    for (const contender of contenders) contender.go();
    return await Promise.all(contenders.map((contender) => contender.answer));
  } finally {
    for (const contender of contenders) contender.end();
  }
}

interface Contender {
  readonly ready: Promise<void>;
  readonly answer: Promise<ContenderAnswer>;
  go(): void;
  end(): void;
}

function startContender(program: string, plan: ContenderPlan): Contender {
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], { env: {} });
  let [text, complaint] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint += piece;
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.startsWith("ready\n")) resolve();
    });
    child.on("close", () => reject(new Error(`a contender never was ready: ${complaint}`)));
  });
  const answer = new Promise<ContenderAnswer>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const line = text.split("\n")[1] ?? "";
      if (code === 0 && line !== "") resolve(JSON.parse(line) as ContenderAnswer);
      else reject(new Error(`a contender ended with ${code}: ${complaint.slice(0, 4000)}`));
    });
  });
  // Looked at once all of them are ready; one that fails before that fails there.
  answer.catch(() => undefined);
  return {
    ready,
    answer,
    go: () => child.stdin.end("go\n"),
    end: () => {
      child.kill("SIGKILL");
    },
  };
}

/** Freezes and approves one write; the files are what every contender commits. */
async function freezeOne(
  { directory, audience, keyFile }: FurnishedStore,
  port: number,
  folder: string,
): Promise<ContenderPlan> {
  const preparedFile = join(folder, "prepared.json");
  const proofFile = join(folder, "prepared.json.proof");
  const store = must(await openSqliteJournal({ directory, create: false, thread: "caller" }));
  const host = must(
    await openHost({
      ...store,
      adapters: [registerPeer(port)],
      ambient: makeSystemAmbient(),
      audience,
      caller: "os:ada",
      separationOf: () => Promise.resolve("none"),
      pid: process.pid,
    }),
  );
  const input = { namespace: "web", name: "api", to: "blue" };
  const request = { adapter: "prod", operation: "thing.change", input, key: "one-key" };
  const frozen = must(await host.freezeWrite(request));
  const file = frozen.preparedBytes;
  const approver = openReadyApprover(keyFile, peerDeclarations);
  const proof = must(await approver.approve({ file }, { signal: patience() }));
  writeFileSync(preparedFile, file);
  writeFileSync(proofFile, proof.jws);
  await host.close();
  await store.journal.close();
  return { directory, audience, port, preparedFile, proofFile };
}
