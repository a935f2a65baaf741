import { simulatorBounds } from "../bounds.js";
import type { GroupResource } from "../refusals.js";
import { freezeJson } from "../json-value.js";
import type { StoredObject } from "./stored-object.js";

/** Where an object is: its resource, its namespace ("" for none) and its name. */
export interface ObjectKey {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
}

/** What a revision did to its object. */
export type RevisionType = "ADDED" | "MODIFIED" | "DELETED";

/** One change, at one version of the store. */
export interface Revision {
  readonly version: number;
  readonly type: RevisionType;
  readonly key: ObjectKey;
  /** The object after the change; for a deletion its last state at the deletion's version. */
  readonly object: StoredObject;
  /** The object before the change. */
  readonly previous: StoredObject | undefined;
}

/** Asked for a version whose changes are not kept any more. */
export const COMPACTED = "compacted";

/**
 * Objects by key under one counter: every change takes the next version, which becomes the object's
 * resourceVersion. Keeps the last changes for watches, for lists at a version and for tests.
 */
export interface ObjectStore {
  /** The version of the last change. */
  readonly version: () => number;
  readonly size: () => number;
  readonly get: (key: ObjectKey) => StoredObject | undefined;
  /** The objects of a resource in the order of namespace and name; "" for every namespace. */
  readonly list: (resource: GroupResource, namespace: string) => readonly StoredObject[];
  /** The same as it was at `version`. */
  readonly listAt: (
    resource: GroupResource,
    namespace: string,
    version: number,
  ) => readonly StoredObject[] | typeof COMPACTED;
  /** Stores a new object or a new state of one. */
  readonly put: (key: ObjectKey, object: StoredObject) => StoredObject;
  /** Removes an object; undefined when there is none. */
  readonly remove: (key: ObjectKey) => StoredObject | undefined;
  /** The changes after `version`, oldest first. */
  readonly changesAfter: (version: number) => readonly Revision[] | typeof COMPACTED;
  /** The changes of one object that are kept, oldest first. */
  readonly history: (key: ObjectKey) => readonly Revision[];
  /** Forgets the changes up to now: older versions are 410 from here on. */
  readonly compact: () => void;
  /** Calls `listener` after every change until the returned function is called. */
  readonly subscribe: (listener: (revision: Revision) => void) => () => void;
}

/** How many changes a store remembers, and how many bytes of them. */
export interface StoreBounds {
  readonly revisionsMax: number;
  readonly revisionBytesMax: number;
}

/** An empty store. */
export function makeObjectStore(bounds: StoreBounds = simulatorBounds): ObjectStore {
  const objects = new Map<string, Map<string, Entry>>();
  const listeners = new Set<(revision: Revision) => void>();
  let log: LoggedRevision[] = [];
  let logBytes = 0;
  // Versions up to this one are compacted.
  let floor = 0;
  let version = 0;
  let size = 0;

  const append = (revision: Revision, bytes: number): void => {
    log.push({ ...revision, bytes });
    logBytes += bytes;
    // Cut in large steps, so that a change costs the same whether the log is full or not.
    while (
      log.length >= bounds.revisionsMax * 2 ||
      (logBytes > bounds.revisionBytesMax && log.length > 1)
    ) {
      log = log.slice((log.length + 1) >> 1);
      logBytes = log.reduce((sum, logged) => sum + logged.bytes, 0);
      floor = (log[0]?.version ?? version) - 1;
    }
    for (const listener of listeners) listener(revision);
  };

  const change = (type: RevisionType, key: ObjectKey, object: StoredObject): StoredObject => {
    version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(version) };
    const stored = freezeJson<StoredObject>({ ...object, metadata });
    const entries = entriesOf(objects, key.resource);
    const previous = entries.get(pathOf(key))?.object;
    if (type === "DELETED") entries.delete(pathOf(key));
    else entries.set(pathOf(key), { key, object: stored });
    size += (type === "DELETED" ? 0 : 1) - (previous === undefined ? 0 : 1);
    append({ version, type, key, object: stored, previous }, sizeOf(stored));
    return stored;
  };

  const get = (key: ObjectKey): StoredObject | undefined =>
    entriesOf(objects, key.resource).get(pathOf(key))?.object;

  const changesAfter = (since: number): readonly Revision[] | typeof COMPACTED =>
    since < floor ? COMPACTED : log.slice(firstAfter(log, since));

  return {
    version: () => version,
    size: () => size,
    get,
    list: (resource, namespace) => sorted([...entriesOf(objects, resource).values()], namespace),
    listAt: (resource, namespace, at) => {
      const changes = changesAfter(at);
      if (changes === COMPACTED) return COMPACTED;
      return sorted(entriesBefore(entriesOf(objects, resource), resource, changes), namespace);
    },
    put: (key, object) => change(get(key) === undefined ? "ADDED" : "MODIFIED", key, object),
    remove: (key) => {
      const object = get(key);
      return object === undefined ? undefined : change("DELETED", key, object);
    },
    changesAfter,
    history: (key) => log.filter((revision) => isSameKey(revision.key, key)),
    compact: () => {
      log = [];
      logBytes = 0;
      floor = version;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Whether two names mean the same resource. */
export function isSameResource(left: GroupResource, right: GroupResource): boolean {
  return left.plural === right.plural && left.group === right.group;
}

function isSameKey(left: ObjectKey, right: ObjectKey): boolean {
  return isSameResource(left.resource, right.resource) && pathOf(left) === pathOf(right);
}

/** How many bytes an object takes as JSON, near enough: letters that need more are rare. */
export function sizeOf(object: StoredObject): number {
  return JSON.stringify(object).length;
}

interface LoggedRevision extends Revision {
  readonly bytes: number;
}

interface Entry {
  readonly key: ObjectKey;
  readonly object: StoredObject;
}

function entriesOf(
  objects: Map<string, Map<string, Entry>>,
  { group, plural }: GroupResource,
): Map<string, Entry> {
  const name = `${group}/${plural}`;
  const known = objects.get(name);
  if (known !== undefined) return known;
  const fresh = new Map<string, Entry>();
  objects.set(name, fresh);
  return fresh;
}

// The entries as they were before these changes, taken back one by one.
function entriesBefore(
  now: ReadonlyMap<string, Entry>,
  resource: GroupResource,
  changes: readonly Revision[],
): readonly Entry[] {
  const entries = new Map(now);
  for (const { key, previous } of changes.toReversed()) {
    if (!isSameResource(key.resource, resource)) continue;
    if (previous === undefined) entries.delete(pathOf(key));
    else entries.set(pathOf(key), { key, object: previous });
  }
  return [...entries.values()];
}

/** The key within its resource; "/" is in no name, so this is also the order of lists. */
export function pathOf(key: { readonly namespace: string; readonly name: string }): string {
  return key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

function sorted(entries: readonly Entry[], namespace: string): readonly StoredObject[] {
  return entries
    .filter(({ key }) => namespace === "" || key.namespace === namespace)
    .map((entry) => ({ path: pathOf(entry.key), object: entry.object }))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map(({ object }) => object);
}

// The first index of the log, which is in the order of versions, that lies after `version`.
function firstAfter(log: readonly Revision[], version: number): number {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle]?.version ?? 0) > version) high = middle;
    else low = middle + 1;
  }
  return low;
}
