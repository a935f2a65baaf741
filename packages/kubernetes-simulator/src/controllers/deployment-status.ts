import {
  arrayAt,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from "../json-value.js";
import { formatTimestamp, parseTimestamp } from "../rules/timestamps.js";
import type { StoredObject } from "../store/stored-object.js";
import { countMember, findCondition, setCondition, type Condition } from "./conditions.js";
import { resolveFenceposts } from "./rollout-plan.js";

/** What a Deployment's status is made from. */
export interface RolloutView {
  readonly deployment: StoredObject;
  /** The ReplicaSet of the present template, once there is one. */
  readonly fresh: StoredObject | undefined;
  /** All of the Deployment's ReplicaSets. */
  readonly sets: readonly StoredObject[];
  readonly nowMs: number;
}

/** The status of a Deployment, its conditions included. */
export function makeDeploymentStatus(view: RolloutView): JsonObject {
  const counts = countReplicas(view);
  const current = objectAt(view.deployment.status);
  let conditions = arrayAt(current, "conditions").filter(isJsonObject);
  const now = formatTimestamp(view.nowMs);
  const progress = progressOf(view, counts, current);
  conditions = [...setCondition(conditions, availabilityOf(view, counts), now)];
  if (progress !== undefined) {
    conditions = [...setCondition(conditions, progress.condition, now, progress.refresh)];
  }
  return {
    observedGeneration: view.deployment.metadata.generation ?? 1,
    ...countMember("replicas", counts.replicas),
    ...countMember("updatedReplicas", counts.updated),
    ...countMember("readyReplicas", counts.ready),
    ...countMember("availableReplicas", counts.available),
    ...countMember("unavailableReplicas", Math.max(0, counts.replicas - counts.available)),
    terminatingReplicas: counts.terminating,
    conditions,
  };
}

/** The status with the condition of a ReplicaSet that was just made. */
export function noteNewReplicaSet(status: JsonObject, name: string, nowMs: number): JsonObject {
  const conditions = setCondition(
    arrayAt(status, "conditions").filter(isJsonObject),
    {
      type: "Progressing",
      status: "True",
      reason: "NewReplicaSetCreated",
      message: `Created new replica set ${JSON.stringify(name)}`,
    },
    formatTimestamp(nowMs),
  );
  return { ...status, conditions };
}

interface Counts {
  readonly wanted: number;
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly terminating: number;
}

function countReplicas({ deployment, fresh, sets }: RolloutView): Counts {
  const sum = (field: string): number =>
    sets.reduce((total, set) => total + (numberAt(set.status, field) ?? 0), 0);
  return {
    wanted: numberAt(deployment.spec, "replicas") ?? 1,
    replicas: sum("replicas"),
    updated: numberAt(fresh?.status, "replicas") ?? 0,
    ready: sum("readyReplicas"),
    available: sum("availableReplicas"),
    terminating: sum("terminatingReplicas"),
  };
}

function availabilityOf({ deployment }: RolloutView, counts: Counts): Condition {
  const strategy = objectAt(deployment.spec, "strategy");
  const slack =
    strategy["type"] === "Recreate" ? 0 : resolveFenceposts(strategy, counts.wanted).maxUnavailable;
  const isAvailable = counts.available >= counts.wanted - slack;
  return isAvailable
    ? {
        type: "Available",
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
    : {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

interface Progress {
  readonly condition: Condition;
  /** Progress was made, so the deadline runs anew. */
  readonly refresh: boolean;
}

function progressOf(view: RolloutView, counts: Counts, current: JsonObject): Progress | undefined {
  const { deployment, fresh, nowMs } = view;
  const before = findCondition(current, "Progressing");
  const pause = pauseOf(deployment, before);
  if (pause !== "running") return pause;
  const isDone = before?.["reason"] === "NewReplicaSetAvailable";
  if (isDone && counts.replicas === counts.updated) return undefined;
  const name = JSON.stringify(fresh?.metadata.name ?? deployment.metadata.name);
  if (isComplete(counts) && fresh !== undefined) {
    const message = `ReplicaSet ${name} has successfully progressed.`;
    return {
      condition: makeProgressing("True", "NewReplicaSetAvailable", message),
      refresh: false,
    };
  }
  if (hasProgressed(counts, current)) {
    const message = `ReplicaSet ${name} is progressing.`;
    return { condition: makeProgressing("True", "ReplicaSetUpdated", message), refresh: true };
  }
  if (before !== undefined && isOverdue(deployment, before, nowMs)) {
    const message = `ReplicaSet ${name} has timed out progressing.`;
    return {
      condition: makeProgressing("False", "ProgressDeadlineExceeded", message),
      refresh: false,
    };
  }
  return undefined;
}

// A pause, and its end, are news of their own; meanwhile no deadline runs.
function pauseOf(
  deployment: StoredObject,
  before: JsonObject | undefined,
): Progress | undefined | "running" {
  const wasPaused = before?.["reason"] === "DeploymentPaused";
  const isPaused = objectAt(deployment.spec)["paused"] === true;
  if (wasPaused === isPaused) return isPaused ? undefined : "running";
  const condition = isPaused
    ? makeProgressing("Unknown", "DeploymentPaused", "Deployment is paused")
    : makeProgressing("Unknown", "DeploymentResumed", "Deployment is resumed");
  return { condition, refresh: false };
}

function makeProgressing(status: Condition["status"], reason: string, message: string): Condition {
  return { type: "Progressing", status, reason, message };
}

function isComplete({ wanted, replicas, updated, available }: Counts): boolean {
  return updated === wanted && replicas === wanted && available === wanted;
}

function hasProgressed(counts: Counts, current: JsonObject): boolean {
  const was = (field: string): number => numberAt(current, field) ?? 0;
  return (
    counts.updated > was("updatedReplicas") ||
    counts.replicas - counts.updated < was("replicas") - was("updatedReplicas") ||
    counts.ready > was("readyReplicas") ||
    counts.available > was("availableReplicas")
  );
}

function isOverdue(deployment: StoredObject, condition: JsonObject, nowMs: number): boolean {
  const seconds = numberAt(deployment.spec, "progressDeadlineSeconds");
  if (seconds === undefined) return false;
  return nowMs - parseTimestamp(stringAt(condition, "lastUpdateTime")) >= seconds * 1_000;
}
