import {
  equalJson,
  isJsonObject,
  objectAt,
  type JsonObject,
  type JsonValue,
} from "../json-value.js";
import type { StoredObject } from "../store/stored-object.js";
import { forbidden, type FieldError } from "./field-error.js";
import { PLAIN_RULES, withSpec, withStatus, type KindRules } from "./kind-rules.js";
import { defaultPodSpec, validatePodSpec } from "./pod-template.js";

// What the admission of a default cluster puts into every Pod, but for the token's volume.
const ADMITTED_POD: JsonObject = {
  serviceAccountName: "default",
  serviceAccount: "default",
  priority: 0,
  preemptionPolicy: "PreemptLowerPriority",
  tolerations: ["not-ready", "unreachable"].map((key) => ({
    key: `node.kubernetes.io/${key}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  })),
};

/** Pods: most of a spec cannot change once it is there. */
export const POD_RULES: KindRules = {
  defaults: (object) => ({
    ...object,
    spec: { enableServiceLinks: true, ...defaultPodSpec(objectAt(object, "spec")) },
  }),
  prepareCreate: (object) =>
    withStatus(withSpec(object, { ...ADMITTED_POD, ...objectAt(object.spec) }), {
      phase: "Pending",
      qosClass: "BestEffort",
    }),
  prepareUpdate: (next, current) => withStatus(next, current.status),
  validate: (object) => validatePodSpec("spec", objectAt(object.spec)),
  validateUpdate: validatePodUpdate,
  movesGeneration: (next, current) => !equalJson(next.spec, current.spec),
  hasGeneration: true,
};

/** Namespaces: a finalizer in the spec, a label with the name, a phase. */
export const NAMESPACE_RULES: KindRules = {
  ...PLAIN_RULES,
  defaults: (object) => {
    const metadata = objectAt(object, "metadata");
    const name = metadata["name"] ?? "";
    const labels = { ...objectAt(metadata, "labels"), "kubernetes.io/metadata.name": name };
    return { ...object, metadata: { ...metadata, labels } };
  },
  prepareCreate: (object) =>
    withStatus(withSpec(object, { finalizers: ["kubernetes"] }), { phase: "Active" }),
  prepareUpdate: (next, current) => withStatus(withSpec(next, current.spec), current.status),
};

/** Nodes: the status is the kubelet's. */
export const NODE_RULES: KindRules = {
  ...PLAIN_RULES,
  prepareUpdate: (next, current) => withStatus(next, current.status),
};

/** Services: objects with the fields that the server fills in; no address is ever served. */
export const SERVICE_RULES: KindRules = {
  ...PLAIN_RULES,
  defaults: (object) => {
    const spec = objectAt(object, "spec");
    const ports = spec["ports"];
    return {
      ...object,
      spec: {
        sessionAffinity: "None",
        type: "ClusterIP",
        internalTrafficPolicy: "Cluster",
        ...spec,
        ...(Array.isArray(ports) ? { ports: ports.map(defaultPort) } : {}),
      },
    };
  },
  prepareCreate: (object) => withStatus(withAddress(object), { loadBalancer: {} }),
  prepareUpdate: (next, current) => withStatus(next, current.status),
};

// An address from the Service's uid, as good as any: nothing listens there.
function withAddress(service: StoredObject): StoredObject {
  const spec = objectAt(service.spec);
  if (spec["type"] === "ExternalName") return service;
  const [high = 0, low = 0] = Buffer.from(service.metadata.uid.slice(0, 4), "hex");
  const clusterIP = spec["clusterIP"] ?? `10.96.${high}.${low}`;
  return withSpec(service, {
    clusterIP,
    clusterIPs: [clusterIP],
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ...spec,
  });
}

function defaultPort(port: JsonValue): JsonValue {
  if (!isJsonObject(port)) return port;
  return { protocol: "TCP", targetPort: port["port"] ?? 0, ...port };
}

function validatePodUpdate(next: StoredObject, current: StoredObject): readonly FieldError[] {
  if (equalJson(changeless(next), changeless(current))) return [];
  return [
    forbidden(
      "spec",
      "pod updates may not change fields other than `spec.containers[*].image`," +
        "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`," +
        "`spec.tolerations` (only additions to existing tolerations)," +
        "`spec.terminationGracePeriodSeconds` " +
        "(allow it to be set to 1 if it was previously negative)",
    ),
  ];
}

// A Pod's spec without what may change.
function changeless(pod: StoredObject): JsonObject {
  const spec = objectAt(pod.spec);
  return {
    ...spec,
    containers: imageless(spec["containers"]),
    initContainers: imageless(spec["initContainers"]),
    activeDeadlineSeconds: null,
    tolerations: null,
  };
}

function imageless(list: JsonValue | undefined): JsonValue {
  if (!Array.isArray(list)) return null;
  return list.map((item: JsonValue) => (isJsonObject(item) ? { ...item, image: "" } : item));
}
