import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseName } from "@connectors/domain";
import {
  encodePrivateKeyFile,
  makeSigningKey,
  openHost,
  type Host,
  type Journal,
} from "@connectors/runtime";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { must } from "../programs/cluster-host.js";

/** A store with a policy and an approver, for lives of processes that may be killed. */
export interface FurnishedStore {
  readonly directory: string;
  readonly pending: string;
  readonly keyFile: string;
  readonly audience: string;
}

/** A host that can send nothing: it has no adapter. Opening it recovers what the dead left. */
export interface OpenedStore {
  readonly host: Host;
  readonly journal: Journal;
  close(): Promise<void>;
}

const audience = "connectors.host/00000000-0000-4000-8000-00000000c4a5";

/** Makes a store in a new folder under `folder`. */
export async function makeFurnishedStore(folder: string): Promise<FurnishedStore> {
  const home = mkdtempSync(join(folder, "store-"));
  const pending = join(home, "pending");
  mkdirSync(pending);
  const ambient = makeSystemAmbient();
  const key = makeSigningKey(ambient.random);
  const approver = parseName("ada");
  if (!approver.ok) throw new Error("ada is a name");
  const facts = { approver: approver.value, createdAtMs: ambient.clock.nowMs(), passphrase: null };
  const keyFile = join(home, "key.json");
  writeFileSync(keyFile, encodePrivateKeyFile(key, facts), { mode: 0o600 });
  const store: FurnishedStore = { directory: join(home, "state"), pending, keyFile, audience };
  const opened = await openStore(store, true);
  must(await opened.host.policy.set(new TextEncoder().encode(JSON.stringify(policy))));
  const { publicKey } = key;
  must(
    await opened.host.approvers.add({
      name: "ada",
      publicKey,
      operations: ["*"],
      adapters: ["*"],
    }),
  );
  await opened.close();
  return store;
}

const policy = {
  format: "connectors.policy/1",
  id: "local",
  rules: ["deployment.rollout_restart", "thing.change"].map((operation) => ({
    callers: ["os:ada"],
    adapters: ["prod"],
    operation,
    namespaces: ["web"],
    names: ["*"],
    approvers: ["ada"],
    self_approval: "allowed",
  })),
};

/** Opens the store as a process that writes nothing to any cluster. */
export async function openStore(store: FurnishedStore, create = false): Promise<OpenedStore> {
  const { directory } = store;
  const { journal, locks } = must(await openSqliteJournal({ directory, create, thread: "caller" }));
  const host = must(
    await openHost({
      journal,
      locks,
      adapters: [],
      ambient: makeSystemAmbient(),
      audience: store.audience,
      caller: "os:ada",
      separationOf: () => Promise.resolve("none"),
      pid: process.pid,
    }),
  );
  return {
    host,
    journal,
    close: async () => {
      await host.close();
      await journal.close();
    },
  };
}
