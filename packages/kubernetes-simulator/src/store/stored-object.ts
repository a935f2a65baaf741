import type { JsonObject } from "../json-value.js";

/** A reference from a dependent to its owner. */
export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

/** Who owns which fields since when; `fieldsV1` is a trie of field paths. */
export type ManagedFieldsEntry = {
  readonly manager: string;
  readonly operation: "Update";
  readonly apiVersion: string;
  readonly time: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: JsonObject;
  readonly subresource?: string;
};

/** The metadata of a stored object: decoded against its schema, so of these types. */
export type ObjectMeta = {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
};

/** An object as it is stored: frozen, of a kind that is served. */
export type StoredObject = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
};

/** A stored object as plain JSON. */
export function asJson(object: StoredObject): JsonObject {
  return object;
}

/**
 * JSON that was decoded against its kind's schema, as a stored object. The one place where decoded
 * JSON gets these types; what the types promise has been checked by the decoder.
 */
export function asStored(object: JsonObject): StoredObject {
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- decoded before
  return object as StoredObject;
}
