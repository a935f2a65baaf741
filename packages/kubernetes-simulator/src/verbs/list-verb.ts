import { answerJson, answerStatus, type BodyAnswer } from "../http/answer.js";
import type { JsonObject } from "../json-value.js";
import type { World } from "../objects/world.js";
import { badRequest, expired, notFound } from "../refusals.js";
import { encodeContinueToken, parseContinueToken } from "../store/continue-token.js";
import { COMPACTED, pathOf } from "../store/object-store.js";
import {
  EVERYTHING,
  parseFieldSelector,
  parseLabelSelector,
  type Selection,
} from "../store/selectors.js";
import type { StoredObject } from "../store/stored-object.js";
import { makePartialMetadata, makeTable } from "../table/table.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { groupVersionOf } from "../api/resource-kind.js";
import { answerObject, tableOptions } from "./answer-object.js";
import { awaitVersion } from "./freshness.js";
import { parseListOptions, parseQueryVersion, type ListOptions } from "./list-options.js";
import type { ResourceRequest } from "./resource-request.js";

/** GET of one object. */
export async function getVerb(world: World, request: ResourceRequest): Promise<BodyAnswer> {
  const version = parseQueryVersion(request.query.get("resourceVersion") ?? "");
  if (!version.ok) return answerStatus(version.status);
  const fresh = await awaitVersion(world, version.value);
  if (!fresh.ok) return answerStatus(fresh.status);
  const { kind, namespace, name } = request;
  const object = world.store.get({ resource: kind, namespace, name });
  if (object === undefined) return answerStatus(notFound(kind, name));
  return answerObject(world, request, object);
}

/** GET of a collection. */
export async function listVerb(world: World, request: ResourceRequest): Promise<BodyAnswer> {
  const options = parseListOptions(request.query, false);
  if (!options.ok) return answerStatus(options.status);
  const selection = selectionOf(request);
  if (!selection.ok) return answerStatus(selection.status);
  const fresh = await awaitVersion(world, options.value.version);
  if (!fresh.ok) return answerStatus(fresh.status);
  const snapshot = readSnapshot(world, request, options.value);
  if (!snapshot.ok) return answerStatus(snapshot.status);

  const { objects, version } = snapshot.value;
  const selected = objects.filter(selection.value);
  const { limit } = options.value;
  const page = limit === 0 ? selected : selected.slice(0, limit);
  const last = page.at(-1);
  const remaining = selected.length - page.length;
  const isFiltered = request.query.has("labelSelector") || request.query.has("fieldSelector");
  const more =
    remaining === 0 || last === undefined
      ? {}
      : {
          continue: encodeContinueToken({ version, after: keyOf(last) }),
          // How many are left is not known of a list that selects.
          ...(isFiltered ? {} : { remainingItemCount: remaining }),
        };
  return answerJson(listItems(world, request, page, { resourceVersion: String(version), ...more }));
}

/** Objects as the list that the request asks for. */
export function listItems(
  world: World,
  request: ResourceRequest,
  objects: readonly StoredObject[],
  metadata: JsonObject,
): JsonObject {
  switch (request.form) {
    case "table":
      return makeTable(objects, metadata, tableOptions(world, request, true));
    case "partial":
      return {
        kind: "PartialObjectMetadataList",
        apiVersion: "meta.k8s.io/v1",
        metadata,
        // Without a single one the server's list is nil.
        items: objects.length === 0 ? null : objects.map(makePartialMetadata),
      };
    case "json":
      return {
        kind: `${request.kind.kind}List`,
        apiVersion: groupVersionOf(request.kind),
        metadata,
        // Items of a list don't say what they are.
        items: objects.map(({ kind: _kind, apiVersion: _version, ...rest }): JsonObject => rest),
      };
  }
}

/** What the selectors of a request select. */
export function selectionOf(request: ResourceRequest): Verdict<Selection> {
  const labelSelector = request.query.get("labelSelector") ?? "";
  const labels = labelSelector === "" ? accept(EVERYTHING) : parseLabelSelector(labelSelector);
  if (!labels.ok) return labels;
  const fieldSelector = request.query.get("fieldSelector") ?? "";
  const fields =
    fieldSelector === ""
      ? accept(EVERYTHING)
      : parseFieldSelector(fieldSelector, request.kind.kind);
  if (!fields.ok) return fields;
  return accept((object) => labels.value(object) && fields.value(object));
}

interface Snapshot {
  readonly objects: readonly StoredObject[];
  readonly version: number;
}

function readSnapshot(
  world: World,
  request: ResourceRequest,
  options: ListOptions,
): Verdict<Snapshot> {
  const { store } = world;
  const now = (): Snapshot => ({
    objects: store.list(request.kind, request.namespace),
    version: store.version(),
  });
  if (options.continueToken !== "") return continueList(world, request, options, now);
  const { version, match, limit } = options;
  const isExact = match === "Exact" || (match === "" && limit > 0 && (version ?? 0) > 0);
  if (!isExact || version === undefined) return accept(now());
  const objects = store.listAt(request.kind, request.namespace, version);
  if (objects === COMPACTED) {
    return refuse(expired("The resourceVersion for the provided list is too old."));
  }
  return accept({ objects, version });
}

function continueList(
  world: World,
  request: ResourceRequest,
  options: ListOptions,
  now: () => Snapshot,
): Verdict<Snapshot> {
  if ((options.version ?? 0) > 0) {
    const why = "specifying resource version is not allowed when using continue";
    return refuse(badRequest(why));
  }
  const token = parseContinueToken(options.continueToken);
  if (token === undefined) {
    return refuse(badRequest("invalid continue token: continue key is not valid"));
  }
  const after = ({ objects, version }: Snapshot): Verdict<Snapshot> =>
    accept({ version, objects: objects.filter((object) => keyOf(object) > token.after) });
  // A token without a version goes on with whatever there is now.
  if (token.version < 0) return after(now());
  const objects = world.store.listAt(request.kind, request.namespace, token.version);
  if (objects !== COMPACTED) return after({ objects, version: token.version });
  const inconsistent = encodeContinueToken({ version: -1, after: token.after });
  const status = expired(EXPIRED_CONTINUE);
  return refuse({ ...status, metadata: { continue: inconsistent } });
}

const EXPIRED_CONTINUE =
  "The provided continue parameter is too old to display a consistent list result. " +
  "You can start a new list without the continue parameter, or use the continue token in this " +
  "response to go on with a list that is not consistent.";

function keyOf(object: StoredObject): string {
  return pathOf({ namespace: object.metadata.namespace ?? "", name: object.metadata.name });
}
