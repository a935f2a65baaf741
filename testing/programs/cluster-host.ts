import {
  parseKubernetesConfiguration,
  parseName,
  type ConnectionSource,
  type Provider,
} from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import { openHost, type Host, type Journal, type OwnerLocks } from "@connectors/runtime";
import type { Connection, Outcome } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";

/** How a process reaches the cluster, and for whom proofs are signed. */
export interface ClusterAccess {
  readonly audience: string;
  readonly source: ConnectionSource;
  /** What the connection was when it was last probed. */
  readonly probed: Provider;
}

/** The value; throws where a program expects it to go well. */
export function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

/** A host that may restart the Deployments of namespace `web`, as `os:ada` through `prod`. */
export function openClusterHost(
  { audience, probed }: ClusterAccess,
  parts: { readonly journal: Journal; readonly locks: OwnerLocks; readonly connection: Connection },
): Promise<Outcome<Host>> {
  const ambient = makeSystemAmbient();
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
  const { journal, locks, connection } = parts;
  return openHost({
    journal,
    locks,
    adapters: [
      { name: instance.value, adapter, connection, probed: { provider: probed, at_ms: 0 } },
    ],
    ambient,
    audience,
    caller: "os:ada",
    separationOf: () => Promise.resolve("none"),
    pid: process.pid,
  });
}
