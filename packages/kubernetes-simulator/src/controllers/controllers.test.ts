import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { defaultSeed } from "../default-seed.js";
import {
  arrayAt,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from "../json-value.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/web/deployments";
const MERGE = "application/merge-patch+json";

/** Timers that a test moves on, and a clock that goes with them. */
class ManualTime {
  #nowMs = Date.parse("2026-11-30T12:00:00Z");
  #tasks: { readonly dueMs: number; readonly run: () => void }[] = [];

  readonly clock = { nowMs: (): number => this.#nowMs };
  readonly timers = {
    after: (delayMs: number, run: () => void): (() => void) => {
      const task = { dueMs: this.#nowMs + delayMs, run };
      this.#tasks.push(task);
      return () => {
        this.#tasks = this.#tasks.filter((other) => other !== task);
      };
    },
  };

  pass(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [next] = this.#tasks.toSorted((left, right) => left.dueMs - right.dueMs);
      if (next === undefined || next.dueMs > endMs) break;
      this.#tasks = this.#tasks.filter((task) => task !== next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
    }
    this.#nowMs = endMs;
  }
}

let time: ManualTime;
let simulator: Simulator;
let client: SimulatorClient;

beforeEach(async () => {
  time = new ManualTime();
  simulator = await openSimulator({
    seed: defaultSeed(),
    surroundings: { clock: time.clock, timers: time.timers },
    pace: { podReadyMs: 1_000, podReplaceMs: 500, brokenImages: ["broken:1"] },
  });
  client = openSimulatorClient(simulator);
});

afterEach(async () => {
  client.close();
  await simulator.close();
});

const status = (name = "api"): JsonObject =>
  objectAt(simulator.objects.get("apps", "deployments", "web", name)?.status);
const podNames = (): readonly string[] =>
  simulator.objects
    .list("", "pods", "web")
    .filter(({ metadata }) => metadata.labels?.["app"] === "api")
    .map(({ metadata }) => metadata.name);
const condition = (type: string, name = "api"): JsonObject =>
  arrayAt(status(name), "conditions")
    .filter(isJsonObject)
    .find((candidate) => candidate["type"] === type) ?? {};

async function patch(body: unknown, name = "api", contentType = MERGE): Promise<number> {
  const answer = await client.request("PATCH", `${DEPLOYMENTS}/${name}`, { contentType, body });
  return answer.status;
}

function setImage(image: string): Promise<number> {
  const containers = [{ name: "app", image }];
  const body = { spec: { template: { spec: { containers } } } };
  return patch(body, "api", "application/strategic-merge-patch+json");
}

describe("a cluster", () => {
  it("opens with every seeded Pod ready", () => {
    expect(status()).toMatchObject({ readyReplicas: 3, updatedReplicas: 3, observedGeneration: 1 });
    expect(condition("Progressing")["reason"]).toBe("NewReplicaSetAvailable");
    const [pod] = simulator.objects.list("", "pods", "web");
    expect(pod?.status).toMatchObject({ phase: "Running" });
    expect(objectAt(pod?.status)["podIP"]).toMatch(/^10\.244\./u);
  });

  it("rolls to a new template one Pod at a time, always three of them available", async () => {
    const before = podNames();
    expect(await setImage("api:2")).toBe(200);
    const seen: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      time.pass(100);
      expect(numberAt(status(), "availableReplicas")).toBeGreaterThanOrEqual(3);
      expect(numberAt(status(), "replicas")).toBeLessThanOrEqual(4);
      const reason = stringAt(condition("Progressing"), "reason");
      if (seen.at(-1) !== reason) seen.push(reason);
    }
    expect(status()).toMatchObject({ updatedReplicas: 3, replicas: 3, observedGeneration: 2 });
    expect(status()["unavailableReplicas"]).toBeUndefined();
    expect(seen.at(-1)).toBe("NewReplicaSetAvailable");
    expect(podNames().filter((name) => before.includes(name))).toEqual([]);
    const revisions = simulator.objects
      .list("apps", "replicasets", "web")
      .filter(({ metadata }) => metadata.labels?.["app"] === "api")
      .map(({ metadata }) => metadata.annotations?.["deployment.kubernetes.io/revision"]);
    expect(new Set(revisions)).toEqual(new Set(["1", "2"]));
  });

  it("moves a version with every step of a rollout, a generation only with the patch", async () => {
    await setImage("api:2");
    time.pass(10_000);
    const history = simulator.objects.history("apps", "deployments", "web", "api");
    const generations = new Set(history.map(({ object }) => object.metadata.generation));
    expect([...generations]).toEqual([1, 2]);
    expect(history.length).toBeGreaterThan(8);
  });

  it("exceeds the progress deadline when the new Pods cannot start", async () => {
    await patch({ spec: { progressDeadlineSeconds: 30 } });
    time.pass(5_000);
    await setImage("broken:1");
    time.pass(20_000);
    expect(condition("Progressing")["reason"]).toBe("ReplicaSetUpdated");
    time.pass(20_000);
    expect(condition("Progressing")).toMatchObject({
      status: "False",
      reason: "ProgressDeadlineExceeded",
    });
    expect(numberAt(status(), "availableReplicas")).toBe(3);
    await setImage("api:3");
    time.pass(20_000);
    expect(condition("Progressing")["reason"]).toBe("NewReplicaSetAvailable");
  });

  it("scales, up and down, and replaces a Pod that is deleted", async () => {
    await patch({ spec: { replicas: 5 } });
    time.pass(3_000);
    expect(podNames()).toHaveLength(5);
    await patch({ spec: { replicas: 2 } });
    time.pass(3_000);
    const [name = ""] = podNames();
    await client.request("DELETE", `/api/v1/namespaces/web/pods/${name}`);
    time.pass(3_000);
    expect(podNames()).toHaveLength(2);
    expect(podNames()).not.toContain(name);
    expect(numberAt(status(), "readyReplicas")).toBe(2);
  });

  it("holds a paused Deployment and goes on when it is resumed", async () => {
    await patch({ spec: { paused: true } });
    time.pass(100);
    const before = podNames();
    await setImage("api:2");
    time.pass(10_000);
    expect(podNames()).toEqual(before);
    expect(condition("Progressing")["reason"]).toBe("DeploymentPaused");
    await patch({ spec: { paused: null } });
    time.pass(10_000);
    expect(numberAt(status(), "updatedReplicas")).toBe(3);
  });

  it("replaces all Pods at once under Recreate", async () => {
    await patch({ spec: { strategy: { type: "Recreate", rollingUpdate: null } } });
    time.pass(100);
    await setImage("api:2");
    time.pass(100);
    expect(status()["availableReplicas"]).toBeUndefined();
    time.pass(5_000);
    expect(status()).toMatchObject({ updatedReplicas: 3, availableReplicas: 3 });
  });

  it("starts and ends no Pod while its kubelet is lost, and catches up afterwards", async () => {
    simulator.killKubelet();
    await setImage("api:2");
    time.pass(10_000);
    expect(status()["updatedReplicas"]).toBe(1);
    expect(numberAt(status(), "availableReplicas")).toBe(3);
    const node = simulator.objects.get("", "nodes", "", "simulator-node");
    expect(arrayAt(node?.status, "conditions")[0]).toMatchObject({ status: "Unknown" });
    simulator.restoreKubelet();
    time.pass(10_000);
    expect(status()).toMatchObject({ updatedReplicas: 3, availableReplicas: 3 });
  });

  it("deletes what a deleted Deployment owned, and lets an orphan be", async () => {
    await client.request("DELETE", `${DEPLOYMENTS}/api`);
    const orphan = { contentType: "application/json", body: { propagationPolicy: "Orphan" } };
    await client.request("DELETE", `${DEPLOYMENTS}/worker`, orphan);
    time.pass(5_000);
    expect(podNames()).toEqual([]);
    expect(simulator.objects.get("apps", "deployments", "web", "worker")).toBeUndefined();
    const sets = simulator.objects.list("apps", "replicasets", "web");
    expect(sets.map(({ metadata }) => metadata.ownerReferences)).toEqual([undefined]);
    expect(simulator.objects.list("", "pods", "web")).toHaveLength(2);
  });

  it("keeps a Deployment that is deleted in the foreground until its Pods are gone", async () => {
    const body = { propagationPolicy: "Foreground" };
    await client.request("DELETE", `${DEPLOYMENTS}/api`, { contentType: "application/json", body });
    time.pass(100);
    const waiting = simulator.objects.get("apps", "deployments", "web", "api");
    expect(waiting?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    time.pass(5_000);
    expect(simulator.objects.get("apps", "deployments", "web", "api")).toBeUndefined();
    expect(podNames()).toEqual([]);
  });

  it("empties a namespace that is deleted before it lets it go", async () => {
    await client.request("DELETE", "/api/v1/namespaces/web");
    const create = { contentType: "application/json", body: { metadata: { name: "late" } } };
    const late = await client.request("POST", "/api/v1/namespaces/web/configmaps", create);
    expect(late.status).toBe(403);
    expect(late.text).toContain("NamespaceTerminating");
    time.pass(5_000);
    expect(simulator.objects.get("", "namespaces", "", "web")).toBeUndefined();
    expect(simulator.objects.list("", "pods", "web")).toEqual([]);
  });

  it("drops the oldest idle ReplicaSets beyond the history limit", async () => {
    await patch({ spec: { revisionHistoryLimit: 1 } });
    for (const image of ["api:2", "api:3", "api:4"]) {
      await setImage(image);
      time.pass(10_000);
    }
    const sets = simulator.objects
      .list("apps", "replicasets", "web")
      .filter(({ metadata }) => metadata.labels?.["app"] === "api");
    expect(sets).toHaveLength(2);
  });
});
