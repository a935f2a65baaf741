import type { JsonObject } from "./json-value.js";
import type { ClusterSeed } from "./seed.js";

/**
 * A small cluster that looks like one: namespace `web` with the Deployments `api` (three replicas)
 * and `worker`, namespace `batch` with `reports`.
 */
export function defaultSeed(): ClusterSeed {
  return {
    objects: [
      makeNamespace("web"),
      makeNamespace("batch"),
      makeDeployment("web", "api", 3, "registry.example/shop/api:2.4.1", 8080),
      makeDeployment("web", "worker", 2, "registry.example/shop/worker:2.4.1"),
      makeDeployment("batch", "reports", 1, "registry.example/shop/reports:1.9.0"),
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "api-settings", namespace: "web" },
        data: { LOG_LEVEL: "info", FEATURES: "search,checkout" },
      },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "api", namespace: "web" },
        spec: { selector: { app: "api" }, ports: [{ port: 80, targetPort: 8080 }] },
      },
    ],
  };
}

function makeNamespace(name: string): JsonObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function makeDeployment(
  namespace: string,
  app: string,
  replicas: number,
  image: string,
  port?: number,
): JsonObject {
  const ports = port === undefined ? {} : { ports: [{ name: "http", containerPort: port }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: app, namespace, labels: { app } },
    spec: {
      replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: { containers: [{ name: "app", image, ...ports }] },
      },
    },
  };
}
