import type { ResourceKind } from "../api/resource-kind.js";
import { groupVersionOf, NAMESPACES } from "../api/resource-kind.js";
import { simulatorBounds } from "../bounds.js";
import { objectAt, stringAt, type JsonObject } from "../json-value.js";
import {
  alreadyExists,
  forbiddenObject,
  invalidObject,
  notFound,
  objectTooLarge,
  storeFull,
} from "../refusals.js";
import type { KindRules } from "../rules/kind-rules.js";
import { trackManagedFields } from "../rules/managed-fields.js";
import { validateMetadata } from "../rules/metadata.js";
import { rulesOf } from "../rules/rules-by-kind.js";
import { formatTimestamp } from "../rules/timestamps.js";
import type { Status } from "../status.js";
import { sizeOf } from "../store/object-store.js";
import { asStored, type StoredObject } from "../store/stored-object.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { makeGeneratedName, makeUid } from "./identity.js";
import type { World, Writer } from "./world.js";

/** A new object: decoded against its kind, defaults not yet filled in. */
export interface Creation {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly object: JsonObject;
  readonly writer: Writer;
}

/** Stores a new object, or says why not; a dry run goes as far as it can and stores nothing. */
export function createObject(world: World, creation: Creation): Verdict<StoredObject> {
  const { kind, namespace, writer } = creation;
  const refusal =
    refuseNamespace(world, kind, namespace, nameOf(creation)) ??
    world.admission.review("mutating", admissionRequest(creation, nameOf(creation)));
  if (refusal !== undefined) return refuse(refusal);

  const rules = rulesOf(kind);
  const dressed = dress(world, creation, rules);
  const object = rules.prepareCreate(dressed);
  const { name } = object.metadata;
  const errors = [...validateMetadata(kind, object.metadata), ...rules.validate(object)];
  if (errors.length > 0) return refuse(invalidObject(kind, name, errors));
  const denied = world.admission.review("validating", admissionRequest(creation, name));
  if (denied !== undefined) return refuse(denied);

  const key = { resource: kind, namespace, name };
  const other = world.store.get(key);
  if (other !== undefined) {
    return refuse(alreadyExists(kind, name, other.metadata.deletionTimestamp !== undefined));
  }
  if (world.store.size() >= simulatorBounds.objectsMax) {
    return refuse(storeFull(simulatorBounds.objectsMax));
  }
  const manager = {
    name: writer.manager,
    subresource: "",
    time: formatTimestamp(world.surroundings.clock.nowMs()),
  };
  // What the server itself puts in belongs to nobody.
  const schema = world.schemas.get(kind.schema);
  const { managedFields } = trackManagedFields(dressed, undefined, manager, schema).metadata;
  const tracked: StoredObject = {
    ...object,
    metadata: managedFields === undefined ? object.metadata : { ...object.metadata, managedFields },
  };
  if (sizeOf(tracked) > simulatorBounds.objectBytesMax) return refuse(objectTooLarge());
  return accept(writer.dryRun ? tracked : world.store.put(key, tracked));
}

// Gives the object what every object has; its own fields keep their order behind it.
function dress(world: World, creation: Creation, rules: KindRules): StoredObject {
  const { kind, namespace } = creation;
  const defaulted = rules.defaults(creation.object);
  const { kind: _kind, apiVersion: _version, metadata: _metadata, ...rest } = defaulted;
  const {
    resourceVersion: _resourceVersion,
    uid: _uid,
    selfLink: _selfLink,
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    managedFields: _fields,
    generation: _generation,
    ...metadata
  } = objectAt(defaulted, "metadata");
  return asStored({
    kind: kind.kind,
    apiVersion: groupVersionOf(kind),
    metadata: {
      name: "",
      ...metadata,
      ...nameMembers(world, metadata),
      ...(namespace === "" ? {} : { namespace }),
      uid: makeUid(world.surroundings.random),
      ...(rules.hasGeneration ? { generation: 1 } : {}),
      creationTimestamp: formatTimestamp(world.surroundings.clock.nowMs()),
    },
    ...rest,
  });
}

function nameMembers(world: World, metadata: JsonObject): JsonObject {
  const name = stringAt(metadata, "name");
  const prefix = stringAt(metadata, "generateName");
  if (name !== "" || prefix === "") return { name };
  return { name: makeGeneratedName(prefix, world.surroundings.random) };
}

function nameOf(creation: Creation): string {
  return stringAt(creation.object, "metadata", "name");
}

// Nothing can be created in a namespace that is not there, or that is on its way out.
function refuseNamespace(
  world: World,
  kind: ResourceKind,
  namespace: string,
  name: string,
): Status | undefined {
  if (!kind.namespaced) return undefined;
  const found = world.store.get({ resource: NAMESPACES, namespace: "", name: namespace });
  if (found === undefined) return notFound(NAMESPACES, namespace);
  if (found.metadata.deletionTimestamp === undefined) return undefined;
  const what = `unable to create new content in namespace ${namespace}`;
  const why = `${what} because it is being terminated`;
  return forbiddenObject(kind, name, why, [
    {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    },
  ]);
}

function admissionRequest(
  { kind, namespace, writer }: Creation,
  name: string,
): Parameters<World["admission"]["review"]>[1] {
  return { operation: "CREATE", resource: kind, namespace, name, user: writer.user };
}
