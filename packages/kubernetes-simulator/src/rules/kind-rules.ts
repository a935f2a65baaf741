import type { JsonObject } from "../json-value.js";
import type { StoredObject } from "../store/stored-object.js";
import type { FieldError } from "./field-error.js";

/** What a kind adds to the rules that hold for every object. All of it is pure. */
export interface KindRules {
  /** Fills what the server fills in; applied to every object and every changed one. */
  readonly defaults: (object: JsonObject) => JsonObject;
  /** What a client cannot bring along when it creates an object. */
  readonly prepareCreate: (object: StoredObject) => StoredObject;
  /** What a client cannot change by an update of the object itself. */
  readonly prepareUpdate: (next: StoredObject, current: StoredObject) => StoredObject;
  /** What is wrong with the object. */
  readonly validate: (object: StoredObject) => readonly FieldError[];
  /** What is wrong with the change, beside what `validate` says. */
  readonly validateUpdate: (next: StoredObject, current: StoredObject) => readonly FieldError[];
  /** Whether the change moves `metadata.generation`. */
  readonly movesGeneration: (next: StoredObject, current: StoredObject) => boolean;
  /** Whether objects of the kind have a generation at all. */
  readonly hasGeneration: boolean;
}

/** The rules of a kind that has none of its own. */
export const PLAIN_RULES: KindRules = {
  defaults: (object) => object,
  prepareCreate: (object) => object,
  prepareUpdate: (next) => next,
  validate: () => [],
  validateUpdate: () => [],
  movesGeneration: () => false,
  hasGeneration: false,
};

/** `object` with `status` in place of its own, or with none. */
export function withStatus(object: StoredObject, status: JsonObject | undefined): StoredObject {
  const { status: _status, ...rest } = object;
  return status === undefined ? rest : { ...rest, status };
}

/** `object` with `spec` in place of its own, or with none. */
export function withSpec(object: StoredObject, spec: JsonObject | undefined): StoredObject {
  const { spec: _spec, ...rest } = object;
  return spec === undefined ? rest : { ...rest, spec };
}
