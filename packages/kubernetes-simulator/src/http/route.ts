import type { Authorizer, Identity } from "../access/authorizer.js";
import {
  answerAggregatedDiscovery,
  isServed,
  isServedGroup,
  makeApiVersions,
  makeGroup,
  makeGroupList,
  makeResourceList,
} from "../api/discovery.js";
import { answerOpenApiDocument, answerOpenApiIndex } from "../api/openapi.js";
import { findResourceKind, REVIEW_KINDS, type ResourceKind } from "../api/resource-kind.js";
import { SERVER_VERSION } from "../api/server-version.js";
import type { World } from "../objects/world.js";
import { methodNotAllowed, noSuchResource, notAcceptable } from "../refusals.js";
import type { OpenApiDocument } from "../schema/documents.js";
import { deleteCollectionVerb, deleteVerb } from "../verbs/delete-verbs.js";
import { getVerb, listVerb } from "../verbs/list-verb.js";
import type { ResourceRequest } from "../verbs/resource-request.js";
import { reviewVerb } from "../verbs/review-verbs.js";
import { scaleVerb } from "../verbs/scale-verbs.js";
import { watchVerb, type WatchCount } from "../verbs/watch-verb.js";
import { createVerb, patchVerb, updateVerb } from "../verbs/write-verbs.js";
import { answerJson, answerStatus, answerText, type Answer, type BodyAnswer } from "./answer.js";
import { negotiateDiscovery, negotiateObject } from "./negotiate.js";
import type { RequestInfo, ResourceInfo } from "./request-info.js";

/** What requests are answered from. */
export interface Api {
  readonly world: World;
  readonly authorizer: Authorizer;
  readonly documents: readonly OpenApiDocument[];
  readonly watches: WatchCount;
  /** `127.0.0.1:6443`, for the old form of discovery. */
  readonly address: () => string;
}

/** A request whose sender may make it. */
export interface RoutedRequest {
  readonly method: string;
  readonly info: RequestInfo;
  readonly identity: Identity;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly contentType: string;
  readonly accept: string | undefined;
  readonly agent: string;
}

const NOT_FOUND_TEXT = "404 page not found\n";
const HEALTH = /^\/(?:healthz|livez|readyz)(?:\/ping)?$/u;

/** The answer to a request; execs are not routed here. */
export async function route(api: Api, request: RoutedRequest): Promise<Answer> {
  const { info } = request;
  return info.kind === "path"
    ? routePath(api, request, info.path)
    : await routeResource(api, request, info);
}

function routePath(api: Api, request: RoutedRequest, path: string): BodyAnswer {
  const trimmed = path.length > 1 ? path.replace(/\/$/u, "") : path;
  const answer = findPage(api, request, trimmed);
  if (answer === undefined) return answerText(NOT_FOUND_TEXT, 404);
  return request.method === "GET" ? answer() : answerStatus(methodNotAllowed());
}

function findPage(api: Api, request: RoutedRequest, path: string): (() => BodyAnswer) | undefined {
  if (HEALTH.test(path)) return () => answerText("ok");
  if (path === "/") return () => answerJson({ paths: PAGES });
  if (path === "/version") return () => answerJson(SERVER_VERSION);
  if (path === "/openapi/v3") return () => answerOpenApiIndex(api.documents);
  if (path.startsWith("/openapi/v3/")) {
    const document = path.slice("/openapi/v3/".length);
    return () => answerOpenApiDocument(api.documents, document, request.query);
  }
  if (path === "/api" || path === "/apis") {
    return () => answerDiscovery(api, path === "/api" ? "api" : "apis", request.accept);
  }
  const [root, group = "", version] = path.slice(1).split("/");
  if (root === "api" && version === undefined) return page(makeResourceList("", group));
  if (root !== "apis") return undefined;
  if (version === undefined) return page(makeGroup(group));
  if (isServedGroup(group) && !isServed(group, version)) {
    return () => answerStatus(noSuchResource());
  }
  return page(makeResourceList(group, version));
}

const PAGES = [
  "/api",
  "/api/v1",
  "/apis",
  "/apis/apps",
  "/apis/apps/v1",
  "/apis/authentication.k8s.io",
  "/apis/authentication.k8s.io/v1",
  "/apis/authorization.k8s.io",
  "/apis/authorization.k8s.io/v1",
  "/healthz",
  "/livez",
  "/openapi/v3",
  "/readyz",
  "/version",
] as const;

function page(json: unknown): (() => BodyAnswer) | undefined {
  return json === undefined ? undefined : () => answerJson(json);
}

function answerDiscovery(api: Api, root: "api" | "apis", accept: string | undefined): BodyAnswer {
  switch (negotiateDiscovery(accept)) {
    case "aggregated":
      return answerAggregatedDiscovery(root);
    case "plain":
      return answerJson(root === "api" ? makeApiVersions(api.address()) : makeGroupList());
    case undefined:
      return answerStatus(notAcceptable());
  }
}

async function routeResource(
  api: Api,
  request: RoutedRequest,
  info: ResourceInfo,
): Promise<Answer> {
  if (!isServedGroup(info.group)) return answerText(NOT_FOUND_TEXT, 404);
  const review = REVIEW_KINDS.find(
    (kind) => kind.group === info.group && kind.plural === info.resource,
  );
  if (review !== undefined && info.version === review.version) {
    if (info.name !== "" || info.namespace !== "") return answerStatus(noSuchResource());
    if (request.method !== "POST") return answerStatus(methodNotAllowed());
    const { body, contentType, identity } = request;
    return reviewVerb(api.world, api.authorizer, { kind: review, body, contentType, identity });
  }
  const kind = findResourceKind(info.group, info.version, info.resource);
  if (kind === undefined || info.overlong) return answerStatus(noSuchResource());
  const form = negotiateObject(request.accept);
  if (form === undefined) return answerStatus(notAcceptable());
  const isNamed = info.name !== "" && !isCollection(info.verb);
  const misplaced = kind.namespaced
    ? info.namespace === "" && isNamed
    : info.namespace !== "" && kind.plural !== "namespaces";
  if (misplaced) return answerStatus(noSuchResource());
  const resource = toResourceRequest(kind, request, info, form);
  if (resource === undefined) return answerStatus(noSuchResource());
  return await perform(api, request.method, resource, isNamed);
}

function isCollection(verb: string): boolean {
  return verb === "list" || verb === "watch" || verb === "deletecollection";
}

function toResourceRequest(
  kind: ResourceKind,
  request: RoutedRequest,
  info: ResourceInfo,
  form: ResourceRequest["form"],
): ResourceRequest | undefined {
  const part = kind.subresources.find(({ name }) => name === info.subresource);
  if (info.subresource !== "" && part === undefined) return undefined;
  return {
    verb: info.verb,
    kind,
    subresource: part?.name ?? "",
    // A namespace is in no namespace, whatever authorisation makes of its path.
    namespace: kind.namespaced ? info.namespace : "",
    name: info.name,
    query: request.query,
    body: request.body,
    contentType: request.contentType,
    form,
    user: request.identity.name,
    agent: request.agent,
  };
}

async function perform(
  api: Api,
  method: string,
  request: ResourceRequest,
  isNamed: boolean,
): Promise<Answer> {
  const { world } = api;
  const { subresource, kind } = request;
  if (!allowsMethod(method, request, isNamed)) return answerStatus(methodNotAllowed());
  if (subresource === "scale") return scaleVerb(world, request);
  switch (request.verb) {
    case "get":
      return await getVerb(world, request);
    case "list":
      return await listVerb(world, request);
    case "watch":
      return watchVerb(world, request, api.watches);
    case "create":
      return createVerb(world, request);
    case "update":
      return updateVerb(world, request);
    case "patch":
      return patchVerb(world, request);
    case "delete":
      return deleteVerb(world, request);
    case "deletecollection":
      return kind.verbs.includes("deletecollection")
        ? deleteCollectionVerb(world, request)
        : answerStatus(methodNotAllowed());
    default:
      return answerStatus(methodNotAllowed());
  }
}

function allowsMethod(method: string, request: ResourceRequest, isNamed: boolean): boolean {
  const { kind, subresource, namespace } = request;
  if (!isNamed) {
    // Reads span namespaces, writes don't.
    if (method === "POST" || method === "DELETE") return !kind.namespaced || namespace !== "";
    return method === "GET";
  }
  if (subresource !== "") return method === "GET" || method === "PUT" || method === "PATCH";
  return method === "GET" || method === "PUT" || method === "PATCH" || method === "DELETE";
}
