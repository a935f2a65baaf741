import type { Admission } from "../admission/admission.js";
import type { Surroundings } from "../ports.js";
import type { SchemaSet } from "../schema/schema.js";
import type { ObjectStore } from "../store/object-store.js";

/** What every operation on objects works on. */
export interface World {
  readonly store: ObjectStore;
  readonly schemas: SchemaSet;
  readonly admission: Admission;
  readonly surroundings: Surroundings;
}

/** Who writes, and whether it is for real. */
export interface Writer {
  /** The name in `managedFields`. */
  readonly manager: string;
  /** The authenticated user; a controller's own name for one of the cluster's parts. */
  readonly user: string;
  readonly dryRun: boolean;
}

/** A part of the cluster that writes, as admission and managed fields see it. */
export function clusterPart(name: string): Writer {
  return { manager: name, user: `system:${name}`, dryRun: false };
}
