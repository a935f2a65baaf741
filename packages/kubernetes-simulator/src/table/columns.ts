import {
  arrayAt,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import { describeLabelSelector } from "../rules/label-selector.js";
import { parseTimestamp } from "../rules/timestamps.js";
import type { StoredObject } from "../store/stored-object.js";
import { describeAge } from "./age.js";
import { summarizePod } from "./pod-summary.js";

/** One column of a kind's table. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer";
  readonly format: "" | "name";
  readonly description: string;
  /** 1 is shown in wide output only. */
  readonly priority: 0 | 1;
  readonly cell: (object: StoredObject, nowMs: number) => JsonValue;
}

function column(
  name: string,
  description: string,
  cell: Column["cell"],
  options: Partial<Pick<Column, "type" | "priority">> = {},
): Column {
  return { name, type: "string", format: "", description, priority: 0, cell, ...options };
}

const NAME: Column = {
  ...column(
    "Name",
    "The object's name, unique in its namespace.",
    (object) => object.metadata.name ?? "",
  ),
  format: "name",
};

const AGE: Column = column("Age", "The time since the object was created.", (object, nowMs) =>
  ageOf(object.metadata.creationTimestamp, nowMs),
);

const WIDE = { priority: 1 } as const;
const NONE = "<none>";

const TEMPLATE_COLUMNS: readonly Column[] = [
  column("Containers", "Names of the template's containers.", templateList("name"), WIDE),
  column("Images", "Images of the template's containers.", templateList("image"), WIDE),
  column(
    "Selector",
    "The label selector of the Pods.",
    (object) => describeLabelSelector(objectAt(object.spec, "selector")),
    WIDE,
  ),
];

/** The columns by kind; a kind without an entry has a name and an age. */
const COLUMNS: ReadonlyMap<string, readonly Column[]> = new Map([
  [
    "Deployment",
    [
      NAME,
      column("Ready", "Pods that are ready, of those wanted.", (object) => {
        const wanted = numberAt(object.spec, "replicas") ?? 0;
        return `${count(object, "readyReplicas")}/${wanted}`;
      }),
      column("Up-to-date", "Pods of the present template.", (object) =>
        count(object, "updatedReplicas"),
      ),
      column("Available", "Pods that have been ready long enough.", (object) =>
        count(object, "availableReplicas"),
      ),
      AGE,
      ...TEMPLATE_COLUMNS,
    ],
  ],
  [
    "ReplicaSet",
    [
      NAME,
      column("Desired", "Pods wanted.", (object) => numberAt(object.spec, "replicas") ?? 0, {
        type: "integer",
      }),
      column("Current", "Pods there.", (object) => count(object, "replicas"), { type: "integer" }),
      column("Ready", "Pods ready.", (object) => count(object, "readyReplicas"), {
        type: "integer",
      }),
      AGE,
      ...TEMPLATE_COLUMNS,
    ],
  ],
  [
    "Pod",
    [
      NAME,
      column("Ready", "Containers that are ready, of all.", (pod) => summarizePod(pod).ready),
      column(
        "Status",
        "The Pod's phase, or why it is not running.",
        (pod) => summarizePod(pod).status,
      ),
      column("Restarts", "Restarts of its containers.", (pod) =>
        String(summarizePod(pod).restarts),
      ),
      AGE,
      column("IP", "The Pod's address.", (pod) => orNone(stringAt(pod.status, "podIP")), WIDE),
      column("Node", "Its node.", (pod) => orNone(stringAt(pod.spec, "nodeName")), WIDE),
      column(
        "Nominated Node",
        "The node that it may preempt others on.",
        (pod) => orNone(stringAt(pod.status, "nominatedNodeName")),
        WIDE,
      ),
      column("Readiness Gates", "Conditions beside its containers.", () => NONE, WIDE),
    ],
  ],
  [
    "Namespace",
    [NAME, column("Status", "Its phase.", (object) => stringAt(object.status, "phase")), AGE],
  ],
  [
    "Node",
    [
      NAME,
      column("Status", "Whether it is ready.", describeNode),
      column("Roles", "Its roles.", () => NONE),
      AGE,
      column("Version", "The kubelet's version.", (node) =>
        stringAt(node.status, "nodeInfo", "kubeletVersion"),
      ),
    ],
  ],
  [
    "ConfigMap",
    [
      NAME,
      column("Data", "Its entries.", (object) => {
        const fields: JsonObject = { ...object };
        return (
          Object.keys(objectAt(fields, "data")).length +
          Object.keys(objectAt(fields, "binaryData")).length
        );
      }),
      AGE,
    ],
  ],
  [
    "Service",
    [
      NAME,
      column("Type", "How it is exposed.", (object) => stringAt(object.spec, "type")),
      column("Cluster-IP", "Its address.", (object) => orNone(stringAt(object.spec, "clusterIP"))),
      column("External-IP", "Its address outside.", () => NONE),
      column("Port(s)", "Its ports.", describePorts),
      AGE,
    ],
  ],
]);

/** The columns of a kind's table. */
export function columnsOf(kind: string): readonly Column[] {
  return COLUMNS.get(kind) ?? [NAME, AGE];
}

function ageOf(creationTimestamp: string | undefined, nowMs: number): string {
  const created = parseTimestamp(creationTimestamp);
  return created === 0 ? "<unknown>" : describeAge(nowMs - created);
}

function count(object: StoredObject, field: string): number {
  return numberAt(object.status, field) ?? 0;
}

function templateList(field: string): Column["cell"] {
  return (object) =>
    arrayAt(object.spec, "template", "spec", "containers")
      .map((container) => stringAt(container, field))
      .join(",");
}

function orNone(text: string): string {
  return text === "" ? NONE : text;
}

function describeNode(node: StoredObject): string {
  const ready = arrayAt(node.status, "conditions")
    .filter(isJsonObject)
    .find((condition) => condition["type"] === "Ready");
  return ready?.["status"] === "True" ? "Ready" : "NotReady";
}

function describePorts(service: StoredObject): string {
  const ports = arrayAt(service.spec, "ports")
    .filter(isJsonObject)
    .map((port) => `${numberAt(port, "port") ?? 0}/${stringAt(port, "protocol")}`);
  return orNone(ports.join(","));
}
