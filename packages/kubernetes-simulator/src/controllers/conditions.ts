import { arrayAt, isJsonObject, type JsonObject } from "../json-value.js";

/** A condition without its times. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** A count as a member of a status; the server leaves zeros out. */
export function countMember(name: string, value: number): JsonObject {
  return value === 0 ? {} : { [name]: value };
}

/** The condition of a type in a status, if it is there. */
export function findCondition(status: JsonObject, type: string): JsonObject | undefined {
  return arrayAt(status, "conditions")
    .filter(isJsonObject)
    .find((condition) => condition["type"] === type);
}

/**
 * The conditions of `status` with one of them as given. One of the same status and reason stays as
 * it is, unless it is to be refreshed; a change of status alone moves the transition time.
 */
export function setCondition(
  conditions: readonly JsonObject[],
  condition: Condition,
  now: string,
  refresh = false,
): readonly JsonObject[] {
  const { type, status, reason, message } = condition;
  const current = conditions.find((candidate) => candidate["type"] === type);
  const same = current?.["status"] === status;
  if (same && current["reason"] === reason && !refresh) return conditions;
  const next: JsonObject = {
    type,
    status,
    lastUpdateTime: now,
    lastTransitionTime: same ? (current["lastTransitionTime"] ?? now) : now,
    reason,
    message,
  };
  return [...conditions.filter((candidate) => candidate["type"] !== type), next];
}
