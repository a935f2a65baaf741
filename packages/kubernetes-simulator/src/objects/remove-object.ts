import { NAMESPACES, PODS, type ResourceKind } from "../api/resource-kind.js";
import { numberAt, objectAt, stringAt } from "../json-value.js";
import { conflict, notFound } from "../refusals.js";
import { formatTimestamp } from "../rules/timestamps.js";
import type { Status } from "../status.js";
import type { StoredObject } from "../store/stored-object.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { isReadyToGo } from "./update-object.js";
import type { World, Writer } from "./world.js";

/** What a delete asks for. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** One object to delete. */
export interface Removal {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly writer: Writer;
}

/** What a delete came to: the object is gone, or it is on its way out and still there. */
export interface Removed {
  readonly object: StoredObject;
  readonly gone: boolean;
}

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/** Deletes an object, or begins to: what has finalizers or a grace period is only marked. */
export function removeObject(world: World, removal: Removal): Verdict<Removed> {
  const { kind, namespace, name, options, writer } = removal;
  const key = { resource: kind, namespace, name };
  const current = world.store.get(key);
  if (current === undefined) return refuse(notFound(kind, name));
  const refusal =
    checkPreconditions(kind, current, options) ??
    world.admission.review("validating", {
      operation: "DELETE",
      resource: kind,
      namespace,
      name,
      user: writer.user,
    });
  if (refusal !== undefined) return refuse(refusal);

  const marked = mark(current, {
    finalizers: finalizersOf(kind, current, options),
    graceSeconds: graceSecondsOf(kind, current, options),
    nowMs: world.surroundings.clock.nowMs(),
  });
  const gone = isReadyToGo(marked);
  if (writer.dryRun) return accept({ object: marked, gone });
  if (gone) return accept({ object: world.store.remove(key) ?? marked, gone });
  // Asking again for what is under way changes nothing.
  const same =
    current.metadata.deletionTimestamp !== undefined &&
    current.metadata.deletionGracePeriodSeconds === marked.metadata.deletionGracePeriodSeconds;
  return accept({ object: same ? current : world.store.put(key, marked), gone });
}

function checkPreconditions(
  kind: ResourceKind,
  current: StoredObject,
  { uid, resourceVersion }: DeleteOptions,
): Status | undefined {
  // The server names the kind here where it names the resource elsewhere.
  const named = { group: kind.group, plural: kind.kind };
  const { name, uid: actual, resourceVersion: version } = current.metadata;
  if (uid !== undefined && uid !== actual) {
    const why =
      `the UID in the precondition (${uid}) does not match the UID in record (${actual}). ` +
      "The object might have been deleted and then recreated";
    return conflictOfKind(named, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== version) {
    const why =
      `the ResourceVersion in the precondition (${resourceVersion}) does not match ` +
      `the ResourceVersion in record (${version}). The object might have been modified`;
    return conflictOfKind(named, name, why);
  }
  return undefined;
}

function conflictOfKind(
  { group, plural }: { readonly group: string; readonly plural: string },
  name: string,
  why: string,
): Status {
  return conflict({ group, plural }, name, why);
}

function finalizersOf(
  kind: ResourceKind,
  current: StoredObject,
  options: DeleteOptions,
): readonly string[] {
  const kept = (current.metadata.finalizers ?? []).filter(
    (finalizer) => finalizer !== FOREGROUND && finalizer !== ORPHAN,
  );
  if (kind.kind === NAMESPACES.kind) return kept;
  if (options.propagationPolicy === "Foreground") return [...kept, FOREGROUND];
  if (options.propagationPolicy === "Orphan") return [...kept, ORPHAN];
  return options.propagationPolicy === "Background" ? kept : (current.metadata.finalizers ?? []);
}

// Only Pods end gracefully, and only those that a node runs; asking again can only shorten it.
function graceSecondsOf(kind: ResourceKind, current: StoredObject, options: DeleteOptions): number {
  if (kind.kind !== PODS.kind) return 0;
  const phase = stringAt(objectAt(current.status), "phase");
  const spec = objectAt(current.spec);
  const idle = stringAt(spec, "nodeName") === "" || phase === "Succeeded" || phase === "Failed";
  if (idle) return 0;
  const own = numberAt(spec, "terminationGracePeriodSeconds") ?? 30;
  const wanted = Math.max(0, options.gracePeriodSeconds ?? own);
  const underWay = current.metadata.deletionGracePeriodSeconds;
  return underWay === undefined
    ? wanted
    : Math.min(underWay, options.gracePeriodSeconds ?? underWay);
}

function mark(
  current: StoredObject,
  change: {
    readonly finalizers: readonly string[];
    readonly graceSeconds: number;
    readonly nowMs: number;
  },
): StoredObject {
  const { finalizers: _finalizers, ...rest } = current.metadata;
  const begun = current.metadata.deletionTimestamp;
  const generation = current.metadata.generation;
  const at = formatTimestamp(change.nowMs + change.graceSeconds * 1000);
  const isNamespace = current.kind === NAMESPACES.kind;
  return {
    ...current,
    ...(isNamespace ? { status: { ...current.status, phase: "Terminating" } } : {}),
    metadata: {
      ...rest,
      ...(generation === undefined
        ? {}
        : { generation: generation + (begun === undefined ? 1 : 0) }),
      deletionTimestamp: begun ?? at,
      ...(isNamespace ? {} : { deletionGracePeriodSeconds: change.graceSeconds }),
      ...(change.finalizers.length === 0 ? {} : { finalizers: change.finalizers }),
    },
  };
}
