import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from "../json-value.js";
import type { StoredObject } from "../store/stored-object.js";

/** The node that runs everything: a name, and an address that is reserved for documentation. */
export const NODE = { name: "simulator-node", address: "192.0.2.10" } as const;

type ConditionStatus = "True" | "False";

/** A Pod that was given to the node: not started yet. */
export function makeScheduledStatus(pod: StoredObject, now: string): JsonObject {
  return {
    ...objectAt(pod.status),
    conditions: [makePodCondition(pod, "PodScheduled", "True", now)],
    qosClass: stringAt(pod.status, "qosClass"),
  };
}

/** A Pod whose containers are being made, or cannot be for `reason`. */
export function makeStartingStatus(
  pod: StoredObject,
  now: string,
  waiting: { readonly reason: string; readonly message?: string },
): JsonObject {
  return {
    ...objectAt(pod.status),
    observedGeneration: pod.metadata.generation ?? 1,
    phase: "Pending",
    conditions: podConditions(pod, "False", now),
    hostIP: NODE.address,
    hostIPs: [{ ip: NODE.address }],
    startTime: now,
    containerStatuses: containersOf(pod).map((container) => ({
      name: stringAt(container, "name"),
      state: { waiting: { ...waiting } },
      lastState: {},
      ready: false,
      restartCount: 0,
      image: stringAt(container, "image"),
      imageID: "",
      started: false,
    })),
  };
}

/** A Pod that runs and is ready. */
export function makeRunningStatus(
  pod: StoredObject,
  now: string,
  run: { readonly ip: string; readonly containerId: (index: number) => string },
): JsonObject {
  return {
    ...objectAt(pod.status),
    observedGeneration: pod.metadata.generation ?? 1,
    phase: "Running",
    conditions: podConditions(pod, "True", now),
    hostIP: NODE.address,
    hostIPs: [{ ip: NODE.address }],
    podIP: run.ip,
    podIPs: [{ ip: run.ip }],
    containerStatuses: containersOf(pod).map((container, index) => ({
      name: stringAt(container, "name"),
      state: { running: { startedAt: now } },
      lastState: {},
      ready: true,
      restartCount: 0,
      image: stringAt(container, "image"),
      imageID: `sha256:${"0".repeat(64)}`,
      containerID: `containerd://${run.containerId(index)}`,
      started: true,
    })),
  };
}

function containersOf(pod: StoredObject): readonly JsonObject[] {
  return arrayAt(pod.spec, "containers").filter(isJsonObject);
}

function podConditions(
  pod: StoredObject,
  ready: ConditionStatus,
  now: string,
): readonly JsonObject[] {
  return [
    makePodCondition(pod, "PodReadyToStartContainers", ready, now),
    makePodCondition(pod, "Initialized", "True", now),
    makePodCondition(pod, "Ready", ready, now),
    makePodCondition(pod, "ContainersReady", ready, now),
    makePodCondition(pod, "PodScheduled", "True", now),
  ];
}

// Keeps the transition time of a condition that stays as it is.
function makePodCondition(
  pod: StoredObject,
  type: string,
  status: ConditionStatus,
  now: string,
): JsonObject {
  const current = arrayAt(pod.status, "conditions")
    .filter(isJsonObject)
    .find((condition) => condition["type"] === type && condition["status"] === status);
  const names = containersOf(pod).map((container) => stringAt(container, "name"));
  const unready = status === "False" && (type === "Ready" || type === "ContainersReady");
  return {
    type,
    observedGeneration: pod.metadata.generation ?? 1,
    status,
    lastProbeTime: null,
    lastTransitionTime: current?.["lastTransitionTime"] ?? now,
    ...(unready
      ? {
          reason: "ContainersNotReady",
          message: `containers with unready status: [${names.join(" ")}]`,
        }
      : {}),
  };
}
