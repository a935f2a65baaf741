import type { AdapterFile, KubernetesConfiguration } from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import {
  openConnection,
  readConnectionFacts,
  readNodeEnvironment,
  type NodeConnection,
  type NodeEnvironment,
} from "@connectors/kubernetes-client/node";
import { openHost, type AdapterRegistration, type Host, type Journal } from "@connectors/runtime";
import { succeed, type Outcome } from "@connectors/sdk";
import { openSqliteJournal } from "@connectors/store-sqlite";
import type { CommonFlags } from "../program/flags.js";
import { listCustodyKids } from "../state/file-custody.js";
import { hasTerminal } from "../terminal/question.js";
import type { World } from "../world/world.js";
import { toCaller } from "./caller.js";
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

/**
 * A proxy may send a request again, whatever was said when the adapter was added: a kubeconfig that
 * has one by now is another configuration, and what was frozen under the old one is stale.
 */
async function configurationOf(
  { configuration, connection }: AdapterFile,
  environment: NodeEnvironment,
): Promise<KubernetesConfiguration> {
  if (configuration.intermediary === "may_resend" || connection.kind !== "kubeconfig") {
    return configuration;
  }
  const facts = await readConnectionFacts({ source: connection, environment });
  // Files that cannot be read now are told of when the connection is used.
  return facts.ok && facts.value.proxied
    ? { ...configuration, intermediary: "may_resend" }
    : configuration;
}

interface Registered {
  readonly registrations: readonly AdapterRegistration[];
  readonly connections: ReadonlyMap<string, NodeConnection>;
}

async function register(world: World, files: readonly AdapterFile[]): Promise<Registered> {
  const { ambient } = world;
  const environment = readNodeEnvironment({ terminal: hasTerminal(world) });
  const connections = new Map<string, NodeConnection>();
  const registrations: AdapterRegistration[] = [];
  for (const file of files) {
    const { name, connection: source, probed } = file;
    const configuration = await configurationOf(file, environment);
    // What one comes to stand between is not what was shown: files are read again at each capture.
    const proxy = configuration.intermediary === "may_resend" ? "accept" : "refuse";
    const connection = openConnection({ source, ambient, environment, proxy });
    const adapter = makeKubernetesAdapter({ instance: name, configuration, clock: ambient.clock });
    connections.set(name, connection);
    registrations.push({ name, adapter, connection, probed });
  }
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
  const { journal } = store.value;
  const { registrations, connections } = await register(world, files.value);
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
