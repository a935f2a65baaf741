import { isJsonArray, isJsonObject, type JsonValue } from "../json-value.js";
import type { Schema } from "./schema.js";

/**
 * Whether the server leaves an empty value out when it stores the object. Its types say so field by
 * field and the documents don't, so: empty lists, maps and optional strings are left out; `false`
 * and 0 only where the field is known to be no pointer.
 */
export function isDroppedWhenEmpty(
  struct: string,
  field: string,
  schema: Schema,
  value: JsonValue,
): boolean {
  if (value === "") return !schema.hasDefault && !POINTER_STRINGS.has(field);
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return schema.type.kind === "map" && Object.keys(value).length === 0;
  if (value === false) return PLAIN_BOOLEANS.has(field);
  if (value === 0) return PLAIN_INTEGERS.has(field) || PLAIN_COUNTS.has(`${struct}.${field}`);
  return false;
}

const POINTER_STRINGS: ReadonlySet<string> = new Set([
  "runtimeClassName",
  "storageClassName",
  "hostnameOverride",
  "apiGroup",
]);

const PLAIN_BOOLEANS: ReadonlySet<string> = new Set([
  "hostIPC",
  "hostNetwork",
  "hostPID",
  "paused",
  "publishNotReadyAddresses",
  "readOnly",
  "stdin",
  "stdinOnce",
  "tty",
  "unschedulable",
]);

const PLAIN_INTEGERS: ReadonlySet<string> = new Set([
  "availableReplicas",
  "failureThreshold",
  "fullyLabeledReplicas",
  "generation",
  "hostPort",
  "initialDelaySeconds",
  "minReadySeconds",
  "nodePort",
  "observedGeneration",
  "periodSeconds",
  "readyReplicas",
  "successThreshold",
  "timeoutSeconds",
  "unavailableReplicas",
  "updatedReplicas",
]);

const PLAIN_COUNTS: ReadonlySet<string> = new Set(["v1.DeploymentStatus.replicas"]);
