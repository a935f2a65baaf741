import { arrayAt, isJsonObject, numberAt, objectAt, stringAt } from "../json-value.js";
import type { StoredObject } from "../store/stored-object.js";

/** What a Pod's row says of its containers. */
export interface PodSummary {
  /** `1/1`. */
  readonly ready: string;
  /** `Running`, `ContainerCreating`, `Terminating`, `Error`. */
  readonly status: string;
  readonly restarts: number;
}

/** The summary of a Pod from its status, as the server prints it. */
export function summarizePod(pod: StoredObject): PodSummary {
  const status = objectAt(pod.status);
  const containers = arrayAt(pod.spec, "containers");
  const states = arrayAt(status, "containerStatuses").filter(isJsonObject);
  const ready = states.filter((state) => state["ready"] === true).length;
  const restarts = states.reduce((sum, state) => sum + (numberAt(state, "restartCount") ?? 0), 0);
  const reasons = states.map((state) => {
    const waiting = stringAt(state, "state", "waiting", "reason");
    return waiting === "" ? stringAt(state, "state", "terminated", "reason") : waiting;
  });
  const reason =
    reasons.find((text) => text !== "") ??
    (stringAt(status, "reason") || stringAt(status, "phase"));
  const deleting = pod.metadata.deletionTimestamp !== undefined;
  const lost = stringAt(status, "reason") === "NodeLost";
  return {
    ready: `${ready}/${containers.length}`,
    status: deleting ? (lost ? "Unknown" : "Terminating") : reason,
    restarts,
  };
}
