import type { ResourceKind } from "../api/resource-kind.js";
import { groupVersionOf } from "../api/resource-kind.js";
import type { ObjectKey, ObjectStore } from "../store/object-store.js";
import type { OwnerReference, StoredObject } from "../store/stored-object.js";

/** The reference of a dependent that `owner` controls. */
export function makeControllerReference(kind: ResourceKind, owner: StoredObject): OwnerReference {
  return {
    apiVersion: groupVersionOf(kind),
    kind: kind.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The owner that controls an object, if one does. */
export function controllerOf(object: StoredObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** The objects of a kind, in the owner's namespace, that the owner controls. */
export function controlledBy(
  store: ObjectStore,
  kind: ResourceKind,
  owner: StoredObject,
): readonly StoredObject[] {
  return store
    .list(kind, owner.metadata.namespace ?? "")
    .filter((object) => controllerOf(object)?.uid === owner.metadata.uid);
}

/** Where an object of a kind is stored. */
export function keyOf(kind: ResourceKind, object: StoredObject): ObjectKey {
  const { namespace = "", name } = object.metadata;
  return { resource: kind, namespace, name };
}

/** Namespace and name as one text, for queues. */
export function queueKeyOf({ namespace, name }: Omit<ObjectKey, "resource">): string {
  return `${namespace}/${name}`;
}

/** What `queueKeyOf` made, taken apart. */
export function parseQueueKey(key: string): { readonly namespace: string; readonly name: string } {
  const at = key.indexOf("/");
  return { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
