import type { ResourceKind } from "../api/resource-kind.js";
import type { ObjectMeta, StoredObject } from "../store/stored-object.js";
import { forbidden, immutable, type FieldError } from "./field-error.js";
import {
  checkAnnotations,
  checkLabelName,
  checkLabels,
  checkSubdomain,
  missingName,
} from "./names.js";

/** What is wrong with the metadata of a new object. */
export function validateMetadata(kind: ResourceKind, metadata: ObjectMeta): readonly FieldError[] {
  const checkName = LABEL_NAMED.has(kind.kind) ? checkLabelName : checkSubdomain;
  return [
    ...(metadata.name === "" ? [missingName()] : checkName("metadata.name", metadata.name)),
    ...checkLabels("metadata.labels", metadata.labels),
    ...checkAnnotations("metadata.annotations", metadata.annotations),
  ];
}

// Kinds whose names end up as one label of a DNS name.
const LABEL_NAMED: ReadonlySet<string> = new Set(["Namespace", "Service"]);

/**
 * What is wrong with a change of metadata. The server checks this twice, once for every object and
 * once in the rules of the kind, and lists both: so does the caller.
 */
export function validateMetadataUpdate(
  next: ObjectMeta,
  current: ObjectMeta,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const held = new Set(current.finalizers);
  const added = (next.finalizers ?? []).filter((finalizer) => !held.has(finalizer));
  if (current.deletionTimestamp !== undefined && added.length > 0) {
    const why =
      "no new finalizers can be added if the object is being deleted, found new finalizers " +
      `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(", ")}}`;
    errors.push(forbidden("metadata.finalizers", why));
  }
  if (next.uid !== current.uid) errors.push(immutable("metadata.uid", next.uid));
  if (next.deletionTimestamp !== current.deletionTimestamp) {
    errors.push(immutable("metadata.deletionTimestamp", next.deletionTimestamp ?? null));
  }
  if (next.deletionGracePeriodSeconds !== current.deletionGracePeriodSeconds) {
    const grace = next.deletionGracePeriodSeconds ?? null;
    errors.push(immutable("metadata.deletionGracePeriodSeconds", grace));
  }
  return [
    ...errors,
    ...checkLabels("metadata.labels", next.labels),
    ...checkAnnotations("metadata.annotations", next.annotations),
  ];
}

/**
 * The changed object with what only the server decides put back. An empty uid is taken for "not
 * given", which is why a patch with one applies without its guard.
 */
export function keepServerMetadata(next: StoredObject, current: StoredObject): StoredObject {
  const { generation: _generation, managedFields: _fields, ...given } = next.metadata;
  const { generation, managedFields, creationTimestamp, uid, resourceVersion } = current.metadata;
  return {
    ...next,
    kind: current.kind,
    apiVersion: current.apiVersion,
    metadata: {
      ...given,
      uid: given.uid === undefined || given.uid === "" ? uid : given.uid,
      resourceVersion,
      creationTimestamp,
      ...(generation === undefined ? {} : { generation }),
      ...(managedFields === undefined ? {} : { managedFields }),
    },
  };
}
