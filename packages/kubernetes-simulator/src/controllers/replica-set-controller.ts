import { PODS, REPLICA_SETS } from "../api/resource-kind.js";
import { simulatorBounds } from "../bounds.js";
import {
  arrayAt,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from "../json-value.js";
import { createObject } from "../objects/create-object.js";
import { makeNameEnding } from "../objects/identity.js";
import { removeObject } from "../objects/remove-object.js";
import { updateObject } from "../objects/update-object.js";
import { clusterPart, type World } from "../objects/world.js";
import { parseTimestamp } from "../rules/timestamps.js";
import type { Timers } from "../ports.js";
import type { StoredObject } from "../store/stored-object.js";
import { accept } from "../verdict.js";
import { countMember, findCondition } from "./conditions.js";
import { controlledBy, makeControllerReference, parseQueueKey } from "./ownership.js";
import { makeWorkQueue, type WorkQueue } from "./work-queue.js";

const WRITER = clusterPart("kube-controller-manager");

/** Keeps as many Pods as each ReplicaSet wants, and says so in its status. */
export function startReplicaSetController(world: World, timers: Timers): WorkQueue {
  const queue = makeWorkQueue(timers, (key) => {
    const set = world.store.get({ resource: REPLICA_SETS, ...parseQueueKey(key) });
    if (set === undefined) return;
    const pods = controlledBy(world.store, PODS, set).filter((pod) => !hasEnded(pod));
    const active = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
    if (set.metadata.deletionTimestamp === undefined) balance(world, set, active);
    writeStatus(world, set, active, pods.length - active.length);
    const minReadyMs = (numberAt(set.spec, "minReadySeconds") ?? 0) * 1_000;
    const isWaiting =
      minReadyMs > 0 && active.some((pod) => isReady(pod) && !isAvailable(world, set, pod));
    if (isWaiting) queue.addAfter(key, minReadyMs);
  });
  return queue;
}

function balance(world: World, set: StoredObject, active: readonly StoredObject[]): void {
  const wanted = Math.min(numberAt(set.spec, "replicas") ?? 1, simulatorBounds.replicasMax);
  for (let count = active.length; count < wanted; count += 1) {
    // A create that is refused is tried again when anything about the set changes.
    if (!createPod(world, set)) return;
  }
  const surplus = active.toSorted(byWorthlessness).slice(0, Math.max(0, active.length - wanted));
  for (const pod of surplus) {
    removeObject(world, {
      kind: PODS,
      namespace: pod.metadata.namespace ?? "",
      name: pod.metadata.name,
      options: {},
      writer: WRITER,
    });
  }
}

function createPod(world: World, set: StoredObject): boolean {
  const template = objectAt(set.spec, "template");
  const prefix = `${set.metadata.name}-`;
  return createObject(world, {
    kind: PODS,
    namespace: set.metadata.namespace ?? "",
    writer: WRITER,
    object: {
      metadata: {
        name: `${prefix}${makeNameEnding(world.surroundings.random)}`,
        generateName: prefix,
        ...objectAt(template, "metadata"),
        ownerReferences: [makeControllerReference(REPLICA_SETS, set)],
      },
      spec: objectAt(template, "spec"),
    },
  }).ok;
}

// Pods that serve nobody go first, then the youngest.
function byWorthlessness(left: StoredObject, right: StoredObject): number {
  const ready = Number(isReady(left)) - Number(isReady(right));
  if (ready !== 0) return ready;
  return Number(right.metadata.resourceVersion) - Number(left.metadata.resourceVersion);
}

function writeStatus(
  world: World,
  set: StoredObject,
  active: readonly StoredObject[],
  terminating: number,
): void {
  const ready = active.filter(isReady);
  const available = ready.filter((pod) => isAvailable(world, set, pod));
  const status: JsonObject = {
    replicas: active.length,
    ...countMember("fullyLabeledReplicas", active.length),
    ...countMember("readyReplicas", ready.length),
    ...countMember("availableReplicas", available.length),
    terminatingReplicas: terminating,
    observedGeneration: set.metadata.generation ?? 1,
  };
  updateObject(world, {
    kind: REPLICA_SETS,
    namespace: set.metadata.namespace ?? "",
    name: set.metadata.name,
    subresource: "status",
    writer: WRITER,
    produce: (current) => accept({ ...current, status }),
  });
}

function hasEnded(pod: StoredObject): boolean {
  const phase = stringAt(pod.status, "phase");
  return phase === "Succeeded" || phase === "Failed";
}

function isReady(pod: StoredObject): boolean {
  return findCondition(objectAt(pod.status), "Ready")?.["status"] === "True";
}

function isAvailable(world: World, set: StoredObject, pod: StoredObject): boolean {
  const minReadySeconds = numberAt(set.spec, "minReadySeconds") ?? 0;
  if (minReadySeconds === 0) return true;
  const ready = arrayAt(pod.status, "conditions")
    .filter(isJsonObject)
    .find((condition) => condition["type"] === "Ready");
  const since = parseTimestamp(stringAt(ready, "lastTransitionTime"));
  return world.surroundings.clock.nowMs() - since >= minReadySeconds * 1_000;
}
