import { describeSyntaxError } from "../go-format.js";
import { answerJson, answerStatus, type BodyAnswer } from "../http/answer.js";
import {
  isJsonObject,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
  type JsonObject,
} from "../json-value.js";
import { removeObject, type DeleteOptions, type Removed } from "../objects/remove-object.js";
import type { World } from "../objects/world.js";
import { badRequest, invalidOptions } from "../refusals.js";
import { unsupported } from "../rules/field-error.js";
import type { StatusDetails } from "../status.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { answerObject } from "./answer-object.js";
import { listItems, selectionOf } from "./list-verb.js";
import type { ResourceRequest } from "./resource-request.js";
import { parseWriteOptions, type WriteOptions } from "./write-options.js";

/** DELETE of one object. */
export function deleteVerb(world: World, request: ResourceRequest): BodyAnswer {
  const options = parseDelete(request);
  if (!options.ok) return answerStatus(options.status);
  const { kind, namespace, name } = request;
  const removed = removeObject(world, {
    kind,
    namespace,
    name,
    options: options.value.delete,
    writer: options.value.write.writer,
  });
  if (!removed.ok) return answerStatus(removed.status);
  return answerRemoved(world, request, removed.value);
}

/** DELETE of a collection: the list of what was deleted. */
export function deleteCollectionVerb(world: World, request: ResourceRequest): BodyAnswer {
  const options = parseDelete(request);
  if (!options.ok) return answerStatus(options.status);
  const selection = selectionOf(request);
  if (!selection.ok) return answerStatus(selection.status);
  const objects = world.store.list(request.kind, request.namespace).filter(selection.value);
  const removed = objects.flatMap((object) => {
    const one = removeObject(world, {
      kind: request.kind,
      namespace: object.metadata.namespace ?? "",
      name: object.metadata.name,
      options: options.value.delete,
      writer: options.value.write.writer,
    });
    return one.ok ? [one.value.object] : [];
  });
  const metadata = { resourceVersion: String(world.store.version()) };
  return answerJson(listItems(world, request, removed, metadata));
}

function answerRemoved(
  world: World,
  request: ResourceRequest,
  { object, gone }: Removed,
): BodyAnswer {
  const { kind } = request;
  if (!gone || kind.returnsDeleted) return answerObject(world, request, object);
  const details: StatusDetails = {
    name: object.metadata.name,
    ...(kind.group === "" ? {} : { group: kind.group }),
    kind: kind.plural,
    uid: object.metadata.uid,
  };
  return answerJson({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details,
  });
}

interface ParsedDelete {
  readonly delete: DeleteOptions;
  readonly write: WriteOptions;
}

const POLICIES = ["Foreground", "Background", "Orphan"] as const;

function parseDelete(request: ResourceRequest): Verdict<ParsedDelete> {
  const body = parseDeleteBody(request.body);
  if (!body.ok) return body;
  const write = parseWriteOptions(withBodyDryRun(request, body.value), "DeleteOptions");
  if (!write.ok) return write;
  const policy =
    stringAt(body.value, "propagationPolicy") || request.query.get("propagationPolicy");
  const known = POLICIES.find((choice) => choice === policy);
  if (policy !== null && policy !== "" && known === undefined) {
    const error = unsupported("propagationPolicy", policy, [...POLICIES, "nil"]);
    return refuse(invalidOptions("DeleteOptions", [error]));
  }
  const grace = numberAt(body.value, "gracePeriodSeconds") ?? graceInQuery(request);
  const preconditions = objectAt(body.value, "preconditions");
  const uid = preconditions["uid"];
  const version = preconditions["resourceVersion"];
  return accept({
    write: write.value,
    delete: {
      ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
      ...(known === undefined ? {} : { propagationPolicy: known }),
      ...(typeof uid === "string" ? { uid } : {}),
      ...(typeof version === "string" ? { resourceVersion: version } : {}),
    },
  });
}

function parseDeleteBody(text: string): Verdict<JsonObject> {
  if (text === "") return accept({});
  const value = parseJson(text);
  if (isJsonObject(value)) return accept(value);
  const why = value === undefined ? describeSyntaxError(text) : "json: cannot unmarshal";
  return refuse(badRequest(`couldn't get version/kind; json parse error: ${why}`));
}

function withBodyDryRun(request: ResourceRequest, body: JsonObject): ResourceRequest {
  const dryRun = body["dryRun"];
  if (!Array.isArray(dryRun) || request.query.has("dryRun")) return request;
  const query = new URLSearchParams(request.query);
  for (const value of dryRun) query.append("dryRun", String(value));
  return { ...request, query };
}

function graceInQuery(request: ResourceRequest): number | undefined {
  const text = request.query.get("gracePeriodSeconds");
  return text !== null && /^[0-9]{1,9}$/u.test(text) ? Number(text) : undefined;
}
