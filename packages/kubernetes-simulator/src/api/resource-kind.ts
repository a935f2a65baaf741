/** A part of an object with a path of its own. */
export interface Subresource {
  readonly name: "status" | "scale" | "exec";
  readonly verbs: readonly string[];
  /** What it answers, when that is not the object itself. */
  readonly responseKind?: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  };
}

/** A kind of object that is served: its names, and where its schema is. */
export interface ResourceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** The kind's name in the stored OpenAPI documents. */
  readonly schema: string;
  /** Delete answers the object in every case, not a Status. */
  readonly returnsDeleted: boolean;
}

const ALL_VERBS = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
] as const;

const STATUS: Subresource = { name: "status", verbs: ["get", "patch", "update"] };

const SCALE: Subresource = {
  name: "scale",
  verbs: ["get", "patch", "update"],
  responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
};

const EXEC: Subresource = {
  name: "exec",
  verbs: ["create", "get"],
  responseKind: { group: "", version: "v1", kind: "PodExecOptions" },
};

const CORE = "io.k8s.api.core.v1";
const APPS = "io.k8s.api.apps.v1";

function core(kind: string, names: Partial<ResourceKind> & { plural: string }): ResourceKind {
  return {
    group: "",
    version: "v1",
    kind,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ALL_VERBS,
    subresources: [],
    schema: `${CORE}.${kind}`,
    returnsDeleted: false,
    ...names,
  };
}

/** Namespaces; deletecollection is not served, as in the real server. */
export const NAMESPACES: ResourceKind = core("Namespace", {
  plural: "namespaces",
  shortNames: ["ns"],
  namespaced: false,
  verbs: ALL_VERBS.filter((verb) => verb !== "deletecollection"),
  subresources: [STATUS],
  returnsDeleted: true,
});

/** Nodes: the one that the simulated kubelet stands for. */
export const NODES: ResourceKind = core("Node", {
  plural: "nodes",
  shortNames: ["no"],
  namespaced: false,
  subresources: [STATUS],
});

/** Pods. */
export const PODS: ResourceKind = core("Pod", {
  plural: "pods",
  shortNames: ["po"],
  categories: ["all"],
  subresources: [EXEC, STATUS],
  returnsDeleted: true,
});

/** ConfigMaps. */
export const CONFIG_MAPS: ResourceKind = core("ConfigMap", {
  plural: "configmaps",
  shortNames: ["cm"],
});

/** Services: objects only, nothing listens. */
export const SERVICES: ResourceKind = core("Service", {
  plural: "services",
  shortNames: ["svc"],
  categories: ["all"],
  subresources: [STATUS],
  returnsDeleted: true,
});

/** Deployments. */
export const DEPLOYMENTS: ResourceKind = {
  ...core("Deployment", { plural: "deployments" }),
  group: "apps",
  schema: `${APPS}.Deployment`,
  shortNames: ["deploy"],
  categories: ["all"],
  subresources: [SCALE, STATUS],
};

/** ReplicaSets, which the Deployment controller makes. */
export const REPLICA_SETS: ResourceKind = {
  ...core("ReplicaSet", { plural: "replicasets" }),
  group: "apps",
  schema: `${APPS}.ReplicaSet`,
  shortNames: ["rs"],
  categories: ["all"],
  subresources: [SCALE, STATUS],
};

/** A review: it can only be created, and nothing of it is stored. */
export interface ReviewKind {
  readonly group: "authentication.k8s.io" | "authorization.k8s.io";
  readonly version: "v1";
  readonly kind: "SelfSubjectReview" | "SelfSubjectAccessReview";
  readonly plural: "selfsubjectreviews" | "selfsubjectaccessreviews";
  readonly singular: string;
  readonly schema: string;
}

/** Every kind that is stored. */
export const RESOURCE_KINDS: readonly ResourceKind[] = [
  CONFIG_MAPS,
  NAMESPACES,
  NODES,
  PODS,
  SERVICES,
  DEPLOYMENTS,
  REPLICA_SETS,
];

/** Every review that is answered. */
export const REVIEW_KINDS: readonly ReviewKind[] = [
  {
    group: "authentication.k8s.io",
    version: "v1",
    kind: "SelfSubjectReview",
    plural: "selfsubjectreviews",
    singular: "selfsubjectreview",
    schema: "io.k8s.api.authentication.v1.SelfSubjectReview",
  },
  {
    group: "authorization.k8s.io",
    version: "v1",
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    singular: "selfsubjectaccessreview",
    schema: "io.k8s.api.authorization.v1.SelfSubjectAccessReview",
  },
];

/** `v1` or `apps/v1`. */
export function groupVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/** The stored kind of a group, version and plural, if it is served. */
export function findResourceKind(
  group: string,
  version: string,
  plural: string,
): ResourceKind | undefined {
  return RESOURCE_KINDS.find(
    (kind) => kind.group === group && kind.version === version && kind.plural === plural,
  );
}

/** The stored kind that an object's own `apiVersion` and `kind` name, if it is served. */
export function findKindOf(apiVersion: string, kind: string): ResourceKind | undefined {
  return RESOURCE_KINDS.find(
    (entry) => entry.kind === kind && groupVersionOf(entry) === apiVersion,
  );
}
