import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { COMPACTED, makeObjectStore, type ObjectKey } from "./object-store.js";
import { asStored, type StoredObject } from "./stored-object.js";

const RESOURCE = { group: "", plural: "configmaps" };
const OTHER = { group: "apps", plural: "deployments" };

function makeObject(namespace: string, name: string, value: number): StoredObject {
  return asStored({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { namespace, name, uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" },
    data: { value },
  });
}

type Command = {
  readonly kind: "put" | "remove" | "compact";
  readonly namespace: string;
  readonly name: string;
};

const commands = fc.array(
  fc.record<Command>({
    kind: fc.constantFrom("put", "put", "put", "remove", "compact"),
    namespace: fc.constantFrom("one", "two"),
    name: fc.constantFrom("a", "b", "c"),
  }),
  { maxLength: 60 },
);

describe("an object store", () => {
  it("shows every kept version as it was, and refuses the compacted ones", () => {
    fc.assert(
      fc.property(commands, (script) => {
        const store = makeObjectStore();
        // What a list of everything said at each version.
        const snapshots = new Map([[0, "[]"]]);
        let floor = 0;
        for (const [index, { kind, namespace, name }] of script.entries()) {
          const key: ObjectKey = { resource: RESOURCE, namespace, name };
          if (kind === "put") store.put(key, makeObject(namespace, name, index));
          else if (kind === "remove") store.remove(key);
          else {
            store.compact();
            floor = store.version();
          }
          snapshots.set(store.version(), JSON.stringify(store.list(RESOURCE, "")));
        }
        for (const [version, snapshot] of snapshots) {
          const shown = store.listAt(RESOURCE, "", version);
          if (version < floor) expect(shown).toBe(COMPACTED);
          else expect(JSON.stringify(shown)).toBe(snapshot);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("replays to a watcher exactly what makes the state from any kept version", () => {
    fc.assert(
      fc.property(commands, fc.nat(60), (script, from) => {
        const store = makeObjectStore();
        const seen: number[] = [];
        store.subscribe(({ version }) => seen.push(version));
        for (const [index, { kind, namespace, name }] of script.entries()) {
          const key: ObjectKey = { resource: RESOURCE, namespace, name };
          if (kind === "remove") store.remove(key);
          else store.put(key, makeObject(namespace, name, index));
        }
        const since = Math.min(from, store.version());
        const start = store.listAt(RESOURCE, "", since);
        const changes = store.changesAfter(since);
        if (start === COMPACTED || changes === COMPACTED) throw new Error("nothing was compacted");
        const state = new Map(start.map((object) => [placeOf(object), object]));
        for (const { type, object } of changes) {
          if (type === "DELETED") expect(state.delete(placeOf(object))).toBe(true);
          else {
            expect(state.has(placeOf(object))).toBe(type === "MODIFIED");
            state.set(placeOf(object), object);
          }
        }
        const now = store.list(RESOURCE, "");
        expect([...state.keys()].toSorted()).toEqual(now.map(placeOf));
        expect(now.every((object) => state.get(placeOf(object)) === object)).toBe(true);
        expect(seen).toEqual(seen.toSorted((left, right) => left - right));
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: 300 },
    );
  });

  it("counts one version for all resources and keeps their objects apart", () => {
    const store = makeObjectStore();
    store.put({ resource: RESOURCE, namespace: "one", name: "a" }, makeObject("one", "a", 1));
    store.put({ resource: OTHER, namespace: "one", name: "a" }, makeObject("one", "a", 2));
    expect(store.version()).toBe(2);
    expect(store.size()).toBe(2);
    expect(store.list(RESOURCE, "one")).toHaveLength(1);
    expect(store.history({ resource: OTHER, namespace: "one", name: "a" })).toHaveLength(1);
  });

  it("keeps no more changes than twice its bound, and says which are gone", () => {
    const store = makeObjectStore({ revisionsMax: 10, revisionBytesMax: 1e9 });
    const key = { resource: RESOURCE, namespace: "one", name: "a" };
    for (let count = 0; count < 100; count += 1) store.put(key, makeObject("one", "a", count));
    expect(store.history(key).length).toBeLessThan(20);
    expect(store.changesAfter(50)).toBe(COMPACTED);
    expect(store.changesAfter(99)).toHaveLength(1);
  });

  it("keeps no more bytes of changes than its bound, but always the last change", () => {
    const bytes = JSON.stringify(makeObject("one", "a", 10)).length;
    const store = makeObjectStore({ revisionsMax: 1_000, revisionBytesMax: bytes * 20 });
    const key = { resource: RESOURCE, namespace: "one", name: "a" };
    for (let count = 0; count < 100; count += 1) store.put(key, makeObject("one", "a", count));
    expect(store.history(key).length).toBeLessThanOrEqual(20);
    expect(store.changesAfter(99)).toHaveLength(1);
    const tiny = makeObjectStore({ revisionsMax: 1_000, revisionBytesMax: 1 });
    tiny.put(key, makeObject("one", "a", 1));
    tiny.put(key, makeObject("one", "a", 2));
    expect(tiny.history(key)).toHaveLength(1);
  });

  it("never lets go of an object that can be changed", () => {
    const store = makeObjectStore();
    const key = { resource: RESOURCE, namespace: "one", name: "a" };
    const stored = store.put(key, makeObject("one", "a", 1));
    expect(Object.isFrozen(stored)).toBe(true);
    expect(Object.isFrozen(stored.metadata)).toBe(true);
  });
});

function placeOf(object: StoredObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}
