import type { JsonArray, JsonObject } from "../json-value.js";
import { asJson, type StoredObject } from "../store/stored-object.js";
import { columnsOf } from "./columns.js";

/** What a row carries of its object. */
export type RowObject = "None" | "Metadata" | "Object";

/** How a table is made. */
export interface TableOptions {
  readonly kind: string;
  readonly include: RowObject;
  readonly nowMs: number;
  /** False in a watch after its first event: the client knows the columns. */
  readonly withColumns: boolean;
}

/** Objects as a `meta.k8s.io/v1` Table. */
export function makeTable(
  objects: readonly StoredObject[],
  metadata: JsonObject,
  options: TableOptions,
): JsonObject {
  const columns = columnsOf(options.kind);
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: options.withColumns
      ? columns.map(({ name, type, format, description, priority }) => ({
          name,
          type,
          format,
          description,
          priority,
        }))
      : null,
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, options.nowMs)) satisfies JsonArray,
      ...rowObject(object, options.include),
    })),
  };
}

/** An object as a PartialObjectMetadata. */
export function makePartialMetadata(object: StoredObject): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: object.metadata,
  };
}

function rowObject(object: StoredObject, include: RowObject): JsonObject {
  switch (include) {
    case "None":
      return { object: null };
    case "Metadata":
      return { object: makePartialMetadata(object) };
    case "Object":
      return { object: asJson(object) };
  }
}
