import { objectAt, type JsonObject, type JsonValue } from "../json-value.js";

/** How far a rolling update may go over and under the wanted count. */
export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The counts that a rollout step is planned from. */
export interface RolloutCounts {
  readonly wanted: number;
  /** What the new ReplicaSet is to have, and how many of those are available. */
  readonly fresh: number;
  readonly freshAvailable: number;
  /** The same of all old ReplicaSets together. */
  readonly old: number;
  readonly oldAvailable: number;
}

/** The bounds of a Deployment's strategy, percentages resolved; both 0 would never move. */
export function resolveFenceposts(strategy: JsonObject, wanted: number): Fenceposts {
  const rolling = objectAt(strategy, "rollingUpdate");
  const maxSurge = resolveCount(rolling["maxSurge"], wanted, Math.ceil);
  const maxUnavailable = resolveCount(rolling["maxUnavailable"], wanted, Math.floor);
  return maxSurge === 0 && maxUnavailable === 0
    ? { maxSurge: 0, maxUnavailable: 1 }
    : { maxSurge, maxUnavailable: Math.min(maxUnavailable, wanted) };
}

function resolveCount(
  value: JsonValue | undefined,
  wanted: number,
  round: (value: number) => number,
): number {
  if (typeof value === "number") return value;
  const percent = /^([0-9]+)%$/u.exec(typeof value === "string" ? value : "")?.[1];
  return percent === undefined ? 0 : round((Number(percent) * wanted) / 100);
}

/** How many Pods the new ReplicaSet is to have now. */
export function planFresh(counts: RolloutCounts, { maxSurge }: Fenceposts): number {
  const { wanted, fresh, old } = counts;
  if (fresh >= wanted) return wanted;
  const room = wanted + maxSurge - (fresh + old);
  return room <= 0 ? fresh : Math.min(fresh + room, wanted);
}

/** How many Pods the old ReplicaSets may lose now; those that are not available go first. */
export function planOldLoss(counts: RolloutCounts, { maxUnavailable }: Fenceposts): number {
  const { wanted, fresh, freshAvailable, old, oldAvailable } = counts;
  if (old === 0) return 0;
  const availableMin = wanted - maxUnavailable;
  const unhealthy = old - oldAvailable;
  const spare = fresh + old - availableMin - (fresh - freshAvailable);
  if (spare <= 0) return 0;
  const healthyLoss = Math.max(0, freshAvailable + oldAvailable - availableMin);
  return Math.min(old, spare, Math.min(unhealthy, spare) + healthyLoss);
}
