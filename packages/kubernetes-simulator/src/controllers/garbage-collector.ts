import { PODS, REPLICA_SETS, type ResourceKind, RESOURCE_KINDS } from "../api/resource-kind.js";
import { removeObject } from "../objects/remove-object.js";
import { updateObject } from "../objects/update-object.js";
import { clusterPart, type World } from "../objects/world.js";
import type { Timers } from "../ports.js";
import type { Revision } from "../store/object-store.js";
import type { StoredObject } from "../store/stored-object.js";
import { accept } from "../verdict.js";

const WRITER = clusterPart("kube-controller-manager");
const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

// The kinds whose objects are owned here.
const DEPENDENT_KINDS: readonly ResourceKind[] = [REPLICA_SETS, PODS];

/** Deletes what is left without owners; called with every change of the store. */
export function startGarbageCollector(world: World, timers: Timers): (revision: Revision) => void {
  return ({ type, object, key }) => {
    const { uid, finalizers = [], deletionTimestamp } = object.metadata;
    const kind = RESOURCE_KINDS.find(
      ({ group, plural }) => group === key.resource.group && plural === key.resource.plural,
    );
    if (kind === undefined) return;
    if (type === "DELETED") {
      timers.after(0, () => {
        for (const dependent of dependentsOf(world, uid)) collect(world, dependent);
        for (const owner of object.metadata.ownerReferences ?? []) {
          releaseOwner(world, owner.uid);
        }
      });
    } else if (deletionTimestamp !== undefined && finalizers.includes(ORPHAN)) {
      timers.after(0, () => {
        for (const dependent of dependentsOf(world, uid)) disown(world, dependent, uid);
        dropFinalizer(world, kind, object, ORPHAN);
      });
    } else if (deletionTimestamp !== undefined && finalizers.includes(FOREGROUND)) {
      timers.after(0, () => {
        for (const dependent of dependentsOf(world, uid)) remove(world, dependent, "Foreground");
        releaseOwner(world, uid);
      });
    }
  };
}

interface Dependent {
  readonly kind: ResourceKind;
  readonly object: StoredObject;
}

function dependentsOf(world: World, uid: string): readonly Dependent[] {
  return DEPENDENT_KINDS.flatMap((kind) =>
    world.store
      .list(kind, "")
      .filter((object) => object.metadata.ownerReferences?.some((owner) => owner.uid === uid))
      .map((object) => ({ kind, object })),
  );
}

function collect(world: World, dependent: Dependent): void {
  const owners = dependent.object.metadata.ownerReferences ?? [];
  if (owners.every(({ uid }) => !exists(world, uid))) remove(world, dependent, "Background");
}

function exists(world: World, uid: string): boolean {
  return RESOURCE_KINDS.some((kind) =>
    world.store.list(kind, "").some((object) => object.metadata.uid === uid),
  );
}

function remove(
  world: World,
  { kind, object }: Dependent,
  propagationPolicy: "Background" | "Foreground",
): void {
  const { namespace = "", name, uid, deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) return;
  const options = { uid, propagationPolicy };
  removeObject(world, { kind, namespace, name, writer: WRITER, options });
}

// An owner that waits for its dependents goes when the last of them has gone.
function releaseOwner(world: World, uid: string): void {
  if (dependentsOf(world, uid).length > 0) return;
  for (const kind of RESOURCE_KINDS) {
    const owner = world.store.list(kind, "").find((object) => object.metadata.uid === uid);
    if (owner?.metadata.deletionTimestamp !== undefined) {
      dropFinalizer(world, kind, owner, FOREGROUND);
    }
  }
}

function disown(world: World, { kind, object }: Dependent, uid: string): void {
  const { namespace = "", name } = object.metadata;
  updateObject(world, {
    kind,
    namespace,
    name,
    subresource: "",
    writer: WRITER,
    produce: (current) => {
      const owners = current.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [];
      const { ownerReferences: _owners, ...metadata } = current.metadata;
      return accept({
        ...current,
        metadata: owners.length === 0 ? metadata : { ...metadata, ownerReferences: owners },
      });
    },
  });
}

function dropFinalizer(
  world: World,
  kind: ResourceKind,
  object: StoredObject,
  finalizer: string,
): void {
  const { namespace = "", name } = object.metadata;
  updateObject(world, {
    kind,
    namespace,
    name,
    subresource: "",
    writer: WRITER,
    produce: (current) => {
      const left = (current.metadata.finalizers ?? []).filter((held) => held !== finalizer);
      const { finalizers: _finalizers, ...metadata } = current.metadata;
      return accept({
        ...current,
        metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left },
      });
    },
  });
}
