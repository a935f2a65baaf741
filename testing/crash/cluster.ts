import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseProvider, type ConnectionSource, type Provider } from "@connectors/domain";
import { openConnection } from "@connectors/kubernetes-client/node";
import { openSimulator, type JsonObject } from "@connectors/kubernetes-simulator";
import { makeSystemAmbient } from "@connectors/sdk/testing";

/** A simulated cluster that counts, and the way to it for processes outside. */
export interface CountingCluster {
  readonly source: ConnectionSource;
  readonly probed: Provider;
  /** Deployments of namespace `web`, without Pods, so that nothing but writes changes them. */
  readonly deployments: readonly string[];
  /** How many PATCH requests came with each Audit-ID, since the start. */
  patches(): ReadonlyMap<string, number>;
  /** How many requests of any kind came, since the start. */
  requestCount(): number;
  close(): Promise<void>;
}

/** Opens the cluster; `folder` takes the files of its connection. */
export async function openCountingCluster(
  folder: string,
  deploymentCount: number,
): Promise<CountingCluster> {
  const deployments = Array.from({ length: deploymentCount }, (_, n) => `app-${n}`);
  const simulator = await openSimulator({
    seed: { objects: [namespace, ...deployments.map(makeDeployment)] },
  });
  const source: ConnectionSource = {
    kind: "server",
    server: simulator.url,
    ca_file: join(folder, "ca.pem"),
    token_file: join(folder, "token"),
  };
  writeFileSync(join(folder, "ca.pem"), simulator.caPem, { mode: 0o600 });
  writeFileSync(join(folder, "token"), simulator.admin.token, { mode: 0o600 });
  const counts = new Map<string, number>();
  return {
    source,
    probed: await probe(source),
    deployments,
    patches: () => {
      // The log keeps the newest requests alone; what was counted is taken out of it.
      for (const { method, auditId } of simulator.requests()) {
        if (method === "PATCH") counts.set(auditId, (counts.get(auditId) ?? 0) + 1);
      }
      simulator.clearRequests();
      return counts;
    },
    requestCount: simulator.requestCount,
    close: simulator.close,
  };
}

async function probe(source: ConnectionSource): Promise<Provider> {
  const connection = openConnection({ source, ambient: makeSystemAmbient() });
  const described = await connection.describe();
  const captured = await connection.capture({ signal: new AbortController().signal });
  if (!described.ok || !captured.ok) throw new Error("the cluster cannot be probed");
  const { username } = captured.value;
  await captured.value[Symbol.asyncDispose]();
  await connection[Symbol.asyncDispose]();
  const provider = parseProvider({ ...described.value, username });
  if (!provider.ok) throw new Error("what the cluster said fits its model");
  return provider.value;
}

const namespace: JsonObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "web" },
};

function makeDeployment(name: string): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "web", labels },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "app", image: "registry.example/app:1" }] },
      },
    },
  };
}
