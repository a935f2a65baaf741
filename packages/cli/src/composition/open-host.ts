import type { AdapterFile } from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import {
  openConnection,
  readNodeEnvironment,
  type NodeConnection,
} from "@connectors/kubernetes-client/node";
import { openHost, type AdapterRegistration, type Host, type Journal } from "@connectors/runtime";
import { succeed, type Outcome } from "@connectors/sdk";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { exitCodes } from "../exit-code.js";
import { printFailure } from "../output/print-failure.js";
import type { CommonFlags } from "../program/flags.js";
import { listCustodyKids } from "../state/file-custody.js";
import { hasTerminal } from "../terminal/question.js";
import type { World } from "../world/world.js";
import { openState, readAdapterFiles, type OpenedState } from "./state.js";
import { toCaller } from "./caller.js";

/** A host over one state directory, and everything that a command asks it with. */
export interface OpenedHost extends OpenedState {
  readonly host: Host;
  readonly journal: Journal;
  readonly adapters: readonly AdapterFile[];
  readonly connections: ReadonlyMap<string, NodeConnection>;
}

/** Which adapters a command needs: all, one by name, or none. */
export type AdapterChoice = { readonly only: string | null } | "none";

function register(
  world: World,
  files: readonly AdapterFile[],
): { registrations: AdapterRegistration[]; connections: Map<string, NodeConnection> } {
  const environment = readNodeEnvironment({ terminal: hasTerminal(world) });
  const connections = new Map<string, NodeConnection>();
  const registrations = files.map((file) => {
    const connection = openConnection({
      source: file.connection,
      ambient: world.ambient,
      environment,
    });
    connections.set(file.name, connection);
    const adapter = makeKubernetesAdapter({
      instance: file.name,
      configuration: file.configuration,
      clock: world.ambient.clock,
    });
    return { name: file.name, adapter, connection, probed: file.probed };
  });
  return { registrations, connections };
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
  const { registrations, connections } = register(world, files.value);
  const host = await openHost({
    ...store.value,
    adapters: registrations,
    ambient: world.ambient,
    audience: hostFile.id,
    caller: caller.value,
    separationOf: async (kid) =>
      (await listCustodyKids(directory)).includes(kid) ? "none" : "key",
    pid: process.pid,
  });
  if (!host.ok) {
    await store.value.journal.close();
    return host;
  }
  return succeed({
    directory,
    hostFile,
    journal: store.value.journal,
    host: host.value,
    adapters: files.value,
    connections,
  });
}

/**
 * Runs `use` with an open host and closes it whatever happens; a failure to open is printed.
 *
 * Work that is on its way is waited for: closing never abandons an attempt that this process sent.
 */
export async function withHost(
  world: World,
  flags: CommonFlags,
  choice: AdapterChoice,
  use: (opened: OpenedHost) => Promise<number>,
): Promise<number> {
  const opened = await openStateHost(world, flags, choice);
  if (!opened.ok) {
    printFailure(world, opened.failure, flags.output);
    return exitCodes.nothingDone;
  }
  const { host, journal, connections } = opened.value;
  try {
    return await use(opened.value);
  } finally {
    await host.close();
    await journal.close();
    for (const connection of connections.values()) await connection[Symbol.asyncDispose]();
  }
}
