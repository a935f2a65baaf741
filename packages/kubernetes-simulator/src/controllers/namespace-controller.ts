import { NAMESPACES, RESOURCE_KINDS } from "../api/resource-kind.js";
import { removeObject } from "../objects/remove-object.js";
import { clusterPart, type World } from "../objects/world.js";
import type { Timers } from "../ports.js";
import { makeWorkQueue, type WorkQueue } from "./work-queue.js";

const WRITER = clusterPart("kube-controller-manager");

/** Empties namespaces that are being deleted, then lets them go. Keys are their names. */
export function startNamespaceController(world: World, timers: Timers): WorkQueue {
  return makeWorkQueue(timers, (name) => {
    const key = { resource: NAMESPACES, namespace: "", name };
    const namespace = world.store.get(key);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    if ((namespace.metadata.finalizers ?? []).length > 0) return;
    const kinds = RESOURCE_KINDS.filter((kind) => kind.namespaced);
    for (const kind of kinds) {
      for (const object of world.store.list(kind, name)) {
        if (object.metadata.deletionTimestamp !== undefined) continue;
        removeObject(world, {
          kind,
          namespace: name,
          name: object.metadata.name,
          options: {},
          writer: WRITER,
        });
      }
    }
    const left = kinds.some((kind) => world.store.list(kind, name).length > 0);
    // What is left goes by itself, and its going brings the namespace here again.
    if (!left) world.store.remove(key);
  });
}
