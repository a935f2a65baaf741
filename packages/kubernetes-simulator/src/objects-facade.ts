import { findKindOf, RESOURCE_KINDS, type ResourceKind } from "./api/resource-kind.js";
import { freezeJson, objectAt, stringAt, type JsonObject } from "./json-value.js";
import { makeUid } from "./objects/identity.js";
import type { World } from "./objects/world.js";
import { formatTimestamp } from "./rules/timestamps.js";
import type { ObjectKey, RevisionType } from "./store/object-store.js";
import { asStored, type StoredObject } from "./store/stored-object.js";

/** One stored state of an object, for tests that ask what really happened to it. */
export interface ObjectRevision {
  readonly version: number;
  readonly type: RevisionType;
  readonly object: StoredObject;
}

/**
 * The objects of a simulator, without a request and past every rule. Groups are "" for the core,
 * resources are plurals, namespaces "" for what has none.
 */
export interface SimulatorObjects {
  readonly get: (
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ) => StoredObject | undefined;
  /** In the order of namespace and name; "" for every namespace. */
  readonly list: (group: string, resource: string, namespace?: string) => readonly StoredObject[];
  /** Stores the object as it is, new or not; uid and creation time are filled in if absent. */
  readonly put: (object: JsonObject) => StoredObject;
  /** Removes the object at once, finalizers or not; false when there is none. */
  readonly delete: (group: string, resource: string, namespace: string, name: string) => boolean;
  /** Every stored state, oldest first, as far back as changes are kept. */
  readonly history: (
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ) => readonly ObjectRevision[];
  /** The version of the last change. */
  readonly version: () => number;
  /** Forgets all changes up to now: watches and lists at older versions are answered 410. */
  readonly compact: () => void;
}

/** The facade of a world. */
export function makeObjectsFacade(world: World): SimulatorObjects {
  const { store } = world;
  return {
    get: (...place) => store.get(keyOf(...place)),
    list: (group, resource, namespace = "") => store.list(kindOf(group, resource), namespace),
    put: (object) => put(world, object),
    delete: (...place) => store.remove(keyOf(...place)) !== undefined,
    history: (...place) =>
      store
        .history(keyOf(...place))
        .map(({ version, type, object }) => ({ version, type, object })),
    version: () => store.version(),
    compact: () => {
      store.compact();
    },
  };
}

function keyOf(group: string, resource: string, namespace: string, name: string): ObjectKey {
  return { resource: kindOf(group, resource), namespace, name };
}

function kindOf(group: string, resource: string): ResourceKind {
  const kind = RESOURCE_KINDS.find(
    (candidate) => candidate.group === group && candidate.plural === resource,
  );
  if (kind === undefined) throw new RangeError(`${resource} of group "${group}" is not served`);
  return kind;
}

function put(world: World, object: JsonObject): StoredObject {
  const kind = findKindOf(stringAt(object, "apiVersion"), stringAt(object, "kind"));
  const name = stringAt(object, "metadata", "name");
  if (kind === undefined || name === "") {
    throw new RangeError("an object needs a kind that is served and a name");
  }
  const { clock, random } = world.surroundings;
  const copy = structuredClone(object);
  const metadata = {
    uid: makeUid(random),
    creationTimestamp: formatTimestamp(clock.nowMs()),
    ...objectAt(copy, "metadata"),
  };
  const namespace = kind.namespaced ? stringAt(metadata, "namespace") : "";
  const stored = freezeJson({ ...copy, metadata });
  return world.store.put({ resource: kind, namespace, name }, asStored(stored));
}
