import type { AdapterFile, KubernetesConfiguration } from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import {
  openConnection,
  readConnectionFacts,
  readNodeEnvironment,
  type NodeConnection,
  type NodeEnvironment,
} from "@connectors/kubernetes-client/node";
import type { AdapterRegistration } from "@connectors/runtime";
import { hasTerminal } from "../terminal/question.js";
import type { World } from "../world/world.js";

/** Adapters joined to their connections; nothing has been asked of a cluster. */
export interface RegisteredAdapters {
  readonly registrations: readonly AdapterRegistration[];
  readonly connections: ReadonlyMap<string, NodeConnection>;
}

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

/** The adapters that files describe, each with its own connection. */
export async function registerAdapters(
  world: World,
  files: readonly AdapterFile[],
): Promise<RegisteredAdapters> {
  const { ambient } = world;
  const environment = readNodeEnvironment({ terminal: hasTerminal(world) });
  const connections = new Map<string, NodeConnection>();
  const registrations: AdapterRegistration[] = [];
  for (const file of files) {
    const { name, connection: source, probed } = file;
    const configuration = await configurationOf(file, environment);
    const connection = openConnection({ source, ambient, environment });
    const adapter = makeKubernetesAdapter({ instance: name, configuration, clock: ambient.clock });
    connections.set(name, connection);
    registrations.push({ name, adapter, connection, probed });
  }
  return { registrations, connections };
}
