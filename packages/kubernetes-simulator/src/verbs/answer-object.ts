import type { World } from "../objects/world.js";
import { isTrue } from "../http/request-info.js";
import { answerJson, type BodyAnswer } from "../http/answer.js";
import { asJson, type StoredObject } from "../store/stored-object.js";
import { makePartialMetadata, makeTable, type RowObject } from "../table/table.js";
import type { JsonObject } from "../json-value.js";
import type { ResourceRequest } from "./resource-request.js";

/** An object in the form that was asked for. */
export function answerObject(
  world: World,
  request: ResourceRequest,
  object: StoredObject,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): BodyAnswer {
  return answerJson(formObject(world, request, object, true), status, headers);
}

/** An object as JSON, a Table of one row, or its metadata alone. */
export function formObject(
  world: World,
  request: ResourceRequest,
  object: StoredObject,
  withColumns: boolean,
): JsonObject {
  switch (request.form) {
    case "json":
      return asJson(object);
    case "partial":
      return makePartialMetadata(object);
    case "table":
      return makeTable(
        [object],
        { resourceVersion: object.metadata.resourceVersion },
        tableOptions(world, request, withColumns),
      );
  }
}

/** How the tables of a request are made. */
export function tableOptions(
  world: World,
  request: ResourceRequest,
  withColumns: boolean,
): Parameters<typeof makeTable>[2] {
  return {
    kind: request.kind.kind,
    include: rowObjectOf(request),
    nowMs: world.surroundings.clock.nowMs(),
    withColumns: withColumns && !isTrue(request.query.get("noHeaders")),
  };
}

function rowObjectOf(request: ResourceRequest): RowObject {
  const include = request.query.get("includeObject");
  return include === "None" || include === "Object" ? include : "Metadata";
}
