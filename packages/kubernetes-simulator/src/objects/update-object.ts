import type { ResourceKind } from "../api/resource-kind.js";
import { simulatorBounds } from "../bounds.js";
import { arrayAt, equalJson } from "../json-value.js";
import { bareError, conflict, invalidObject, notFound, objectTooLarge } from "../refusals.js";
import { rulesOf } from "../rules/rules-by-kind.js";
import { keepServerMetadata, validateMetadataUpdate } from "../rules/metadata.js";
import { trackManagedFields } from "../rules/managed-fields.js";
import { formatTimestamp } from "../rules/timestamps.js";
import { withSpec, withStatus } from "../rules/kind-rules.js";
import { sizeOf, type ObjectKey } from "../store/object-store.js";
import { asJson, type StoredObject } from "../store/stored-object.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { describeVersionError, parseVersion } from "./resource-version.js";
import type { World, Writer } from "./world.js";

/** A change of one object. */
export interface Update {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly name: string;
  /** "" for the object itself, "status" for its status alone. */
  readonly subresource: "" | "status" | "scale";
  /** The object that is wanted, from the one that is there. */
  readonly produce: (current: StoredObject) => Verdict<StoredObject>;
  readonly writer: Writer;
}

/**
 * Stores a changed object, or says why not. The version in the object that is wanted is compared
 * before anything else about it is looked at; a change that changes nothing stores nothing.
 */
export function updateObject(world: World, update: Update): Verdict<StoredObject> {
  const { kind, namespace, name, writer } = update;
  const key: ObjectKey = { resource: kind, namespace, name };
  const current = world.store.get(key);
  if (current === undefined) return refuse(notFound(kind, name));
  const produced = update.produce(current);
  if (!produced.ok) return produced;

  const admissionRequest = {
    operation: "UPDATE",
    resource: kind,
    namespace,
    name,
    user: writer.user,
  } as const;
  const mutating = world.admission.review("mutating", admissionRequest);
  if (mutating !== undefined) return refuse(mutating);
  const versioned = checkVersion(kind, name, produced.value, current);
  if (!versioned.ok) return versioned;

  const next = settle(update, produced.value, current);
  const metaErrors = validateMetadataUpdate(next.metadata, current.metadata);
  const rules = rulesOf(kind);
  const errors = [
    ...metaErrors,
    ...metaErrors,
    ...rules.validate(next),
    ...rules.validateUpdate(next, current),
  ];
  if (errors.length > 0) return refuse(invalidObject(kind, name, errors));
  const validating = world.admission.review("validating", admissionRequest);
  if (validating !== undefined) return refuse(validating);
  return storeChange(world, update, key, next, current);
}

function storeChange(
  world: World,
  update: Update,
  key: ObjectKey,
  next: StoredObject,
  current: StoredObject,
): Verdict<StoredObject> {
  const manager = {
    name: update.writer.manager,
    subresource: update.subresource,
    time: formatTimestamp(world.surroundings.clock.nowMs()),
  };
  const schema = world.schemas.get(update.kind.schema);
  const tracked = trackManagedFields(next, current, manager, schema);
  if (equalJson(asJson(tracked), asJson(current))) return accept(current);
  if (sizeOf(tracked) > simulatorBounds.objectBytesMax) return refuse(objectTooLarge());
  if (update.writer.dryRun) return accept(tracked);
  const stored = world.store.put(key, tracked);
  if (isReadyToGo(stored)) {
    world.store.remove(key);
  }
  return accept(stored);
}

/** Whether an object that is being deleted has nothing left to wait for. */
export function isReadyToGo(object: StoredObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined &&
    (object.metadata.finalizers ?? []).length === 0 &&
    // Namespaces have theirs in the spec.
    arrayAt(object.spec, "finalizers").length === 0 &&
    (object.metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

// "0" and nothing at all mean any version, as in the real server.
function checkVersion(
  kind: ResourceKind,
  name: string,
  wanted: StoredObject,
  current: StoredObject,
): Verdict<undefined> {
  const text = wanted.metadata.resourceVersion ?? "";
  const version = parseVersion(text);
  if (version === undefined) return refuse(bareError(describeVersionError(text)));
  if (version === 0n || version === BigInt(current.metadata.resourceVersion)) {
    return accept(undefined);
  }
  return refuse(conflict(kind, name));
}

function settle(update: Update, wanted: StoredObject, current: StoredObject): StoredObject {
  const rules = rulesOf(update.kind);
  const kept = keepServerMetadata(wanted, current);
  if (update.subresource === "status") {
    // Labels, and with them everything that selects, stay out of reach of a status update.
    const { labels: _labels, ...metadata } = kept.metadata;
    const { labels } = current.metadata;
    const restored = {
      ...kept,
      metadata: labels === undefined ? metadata : { ...metadata, labels },
    };
    return withStatus(withSpec(restored, current.spec), wanted.status);
  }
  const next = rules.prepareUpdate(kept, current);
  const { generation } = current.metadata;
  if (generation === undefined || !rules.movesGeneration(next, current)) return next;
  return { ...next, metadata: { ...next.metadata, generation: generation + 1 } };
}
