import { equalJson } from "../json-value.js";
import type { Schema } from "../schema/schema.js";
import { asJson, type ManagedFieldsEntry, type StoredObject } from "../store/stored-object.js";
import { decodeFieldSet, encodeFieldSet, fieldPathsOf, isOfStatus } from "./field-paths.js";

/** Who changes an object, as `managedFields` will say. */
export interface FieldManager {
  readonly name: string;
  /** "" for the object itself. */
  readonly subresource: string;
  /** The change's time in RFC 3339, to the second. */
  readonly time: string;
}

/**
 * `next` with its managed fields brought up to date: the manager owns what it changed or added,
 * nobody owns what it changed for another or removed, and who owns nothing any more is dropped.
 */
export function trackManagedFields(
  next: StoredObject,
  current: StoredObject | undefined,
  manager: FieldManager,
  schema: Schema,
): StoredObject {
  const before = current === undefined ? new Map() : fieldPathsOf(asJson(current), schema);
  const after = fieldPathsOf(asJson(next), schema);
  const changed = new Set(
    [...after]
      .filter(([path, value]) => !equalJson(before.get(path), value))
      .map(([path]) => path)
      // The status is out of reach of a write of the object itself.
      .filter((path) => manager.subresource === "status" || !isOfStatus(path)),
  );
  const entries = current?.metadata.managedFields ?? [];
  const touched = changed.size > 0 || [...before.keys()].some((path) => !after.has(path));
  if (!touched) return withEntries(next, entries);

  const isOurs = (entry: ManagedFieldsEntry): boolean =>
    entry.manager === manager.name && (entry.subresource ?? "") === manager.subresource;
  const updated: ManagedFieldsEntry[] = [];
  const owned = new Set(changed);
  for (const entry of entries) {
    const paths = decodeFieldSet(entry.fieldsV1);
    const kept = [...paths].filter((path) => after.has(path) && !changed.has(path));
    if (isOurs(entry)) {
      for (const path of kept) owned.add(path);
    } else if (kept.length === paths.size) {
      updated.push(entry);
    } else if (kept.length > 0) {
      updated.push({ ...entry, fieldsV1: encodeFieldSet(kept) });
    }
  }
  if (owned.size > 0) {
    updated.push({
      manager: manager.name,
      operation: "Update",
      apiVersion: next.apiVersion,
      time: manager.time,
      fieldsType: "FieldsV1",
      fieldsV1: encodeFieldSet(owned),
      ...(manager.subresource === "" ? {} : { subresource: manager.subresource }),
    });
  }
  return withEntries(next, updated.toSorted(byTimeAndName));
}

function byTimeAndName(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  if (left.time !== right.time) return left.time < right.time ? -1 : 1;
  return left.manager < right.manager ? -1 : 1;
}

function withEntries(object: StoredObject, entries: readonly ManagedFieldsEntry[]): StoredObject {
  const { managedFields: _fields, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries },
  };
}
