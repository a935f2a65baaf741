import type { UserOptions } from "./access/users.js";
import type { AdmissionHook } from "./admission/hook.js";
import { findKindOf, NAMESPACES } from "./api/resource-kind.js";
import { objectAt, stringAt, type JsonObject } from "./json-value.js";
import { createObject } from "./objects/create-object.js";
import type { World } from "./objects/world.js";
import { decodeObject, describeUnmarshalError } from "./schema/decode.js";

/** What a cluster starts with. */
export interface ClusterSeed {
  /** Manifests; namespaces that they name are made when the seed has no manifest for them. */
  readonly objects?: readonly JsonObject[];
  readonly users?: readonly UserOptions[];
  readonly admission?: readonly AdmissionHook[];
}

const SYSTEM_NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;
const SEEDER = { manager: "kubectl-client-side-apply", user: "system:seed", dryRun: false };

/** Creates the namespaces that every cluster has. */
export function plantNamespaces(world: World): void {
  for (const name of SYSTEM_NAMESPACES) plantNamespace(world, name);
}

/** Creates the seed's objects; throws for one that a cluster would refuse. */
export function plantObjects(world: World, objects: readonly JsonObject[]): void {
  const ordered = [...objects].toSorted(
    (left, right) => Number(isNamespace(right)) - Number(isNamespace(left)),
  );
  for (const manifest of ordered) plantObject(world, manifest);
}

function isNamespace(manifest: JsonObject): boolean {
  return manifest["kind"] === NAMESPACES.kind;
}

function plantNamespace(world: World, name: string): void {
  if (world.store.get({ resource: NAMESPACES, namespace: "", name }) !== undefined) return;
  createObject(world, {
    kind: NAMESPACES,
    namespace: "",
    object: { metadata: { name } },
    writer: SEEDER,
  });
}

function plantObject(world: World, manifest: JsonObject): void {
  const name = stringAt(manifest, "metadata", "name");
  const type = stringAt(manifest, "kind") || "an object without a kind";
  const shown = `${type} ${JSON.stringify(name)}`;
  const kind = findKindOf(stringAt(manifest, "apiVersion"), stringAt(manifest, "kind"));
  if (kind === undefined)
    throw new RangeError(`the seed has ${shown}, of a kind that is not served`);
  const decoded = decodeObject(world.schemas, kind.schema, manifest);
  if (!decoded.ok) {
    throw new RangeError(`the seed's ${shown}: ${describeUnmarshalError(decoded.mismatch)}`);
  }
  const given = stringAt(manifest, "metadata", "namespace");
  const namespace = kind.namespaced ? given || "default" : "";
  if (namespace !== "") plantNamespace(world, namespace);
  if (isNamespace(manifest) && exists(world, name)) return;
  const metadata = { ...objectAt(decoded.object, "metadata") };
  const created = createObject(world, {
    kind,
    namespace,
    object: { ...decoded.object, metadata },
    writer: SEEDER,
  });
  if (!created.ok) throw new RangeError(`the seed's ${shown}: ${created.status.message ?? ""}`);
}

function exists(world: World, name: string): boolean {
  return world.store.get({ resource: NAMESPACES, namespace: "", name }) !== undefined;
}
