import type { AdapterFile } from "@connectors/domain";
import type { NodeConnection } from "@connectors/kubernetes-client/node";
import { openHost, type Host, type Journal } from "@connectors/runtime";
import { succeed, type Outcome } from "@connectors/sdk";
import { openSqliteJournal } from "@connectors/store-sqlite";
import type { CommonFlags } from "../program/flags.js";
import { holdsKey } from "../state/file-custody.js";
import type { World } from "../world/world.js";
import { toCaller } from "./caller.js";
import type { RegisteredAdapters } from "./register-adapters.js";
import { openState, readAdapterFiles, type OpenedState } from "./state.js";

/** A host over one state directory, and everything that a command asks it with. */
export interface OpenedHost extends OpenedState {
  readonly host: Host;
  readonly journal: Journal;
  readonly adapters: readonly AdapterFile[];
  readonly connections: ReadonlyMap<string, NodeConnection>;
  /** Releases everything; work that is on its way is waited for, never abandoned. */
  close(): Promise<void>;
}

/** Which adapters a command needs: all, one by name, or none. */
export type AdapterChoice = { readonly only: string | null } | "none";

/** What a command without adapters never loads: clients, parsers, sockets. */
async function register(world: World, files: readonly AdapterFile[]): Promise<RegisteredAdapters> {
  if (files.length === 0) return { registrations: [], connections: new Map() };
  const { registerAdapters } = await import("./register-adapters.js");
  return registerAdapters(world, files);
}

/** Opens the store, recovers what dead processes left, and joins adapters to their connections. */
export async function openStateHost(
  world: World,
  flags: CommonFlags,
  choice: AdapterChoice,
): Promise<Outcome<OpenedHost>> {
  const state = await openState(world, flags);
  if (!state.ok) return state;
  const { directory, hostFile } = state.value;
  const files = choice === "none" ? succeed([]) : await readAdapterFiles(directory, choice.only);
  if (!files.ok) return files;
  const caller = toCaller(world);
  if (!caller.ok) return caller;
  const store = await openSqliteJournal({
    directory,
    create: false,
    thread: "caller",
    ambient: world.ambient,
  });
  if (!store.ok) return store;
  const { journal } = store.value;
  const { registrations, connections } = await register(world, files.value);
  const host = await openHost({
    ...store.value,
    adapters: registrations,
    ambient: world.ambient,
    audience: hostFile.id,
    caller: caller.value,
    separationOf: async (kid) => ((await holdsKey(directory, kid)) ? "none" : "key"),
    pid: process.pid,
  });
  if (!host.ok) {
    await journal.close();
    return host;
  }
  return succeed({
    directory,
    hostFile,
    journal,
    host: host.value,
    adapters: files.value,
    connections,
    async close() {
      await host.value.close();
      await journal.close();
      for (const connection of connections.values()) await connection[Symbol.asyncDispose]();
    },
  });
}
