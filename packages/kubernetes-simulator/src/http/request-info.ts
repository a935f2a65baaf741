import { nameInFieldSelector } from "../store/selectors.js";

/** What a request is about, as authorisation sees it. */
export type RequestInfo =
  | { readonly kind: "path"; readonly path: string; readonly verb: string }
  | ResourceInfo;

/** A request below `/api/v1` or `/apis/GROUP/VERSION`. */
export interface ResourceInfo {
  readonly kind: "resource";
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path had more parts than any resource has. */
  readonly overlong: boolean;
}

/** Reads method, decoded path and query. */
export function parseRequestInfo(
  method: string,
  path: string,
  query: URLSearchParams,
): RequestInfo {
  const nonResource: RequestInfo = { kind: "path", path, verb: method.toLowerCase() };
  const segments = path.replace(/\/$/u, "").split("/").slice(1);
  const [prefix, ...rest] = segments;
  if (segments.includes("")) return nonResource;
  if (prefix === "api" && rest.length > 1) {
    return parseResource(method, "", rest[0] ?? "", rest.slice(1), query);
  }
  if (prefix === "apis" && rest.length > 2) {
    return parseResource(method, rest[0] ?? "", rest[1] ?? "", rest.slice(2), query);
  }
  return nonResource;
}

function parseResource(
  method: string,
  group: string,
  version: string,
  parts: readonly string[],
  query: URLSearchParams,
): ResourceInfo {
  // `namespaces/N/pods` is in a namespace; `namespaces/N`, `namespaces/N/status` is the namespace.
  const scoped =
    parts[0] === "namespaces" && parts.length > 2 && !NAMESPACE_PARTS.has(parts[2] ?? "");
  const [resource = "", ownName = "", subresource = "", ...more] = scoped ? parts.slice(2) : parts;
  const named = ownName !== "" || more.length > 0;
  const selected = named ? undefined : nameInFieldSelector(query.get("fieldSelector") ?? "");
  const verb = verbOf(method, named, query);
  const name = selected !== undefined && COLLECTION_VERBS.has(verb) ? selected : ownName;
  const ownNamespace = resource === "namespaces" && !scoped ? ownName : "";
  return {
    kind: "resource",
    verb,
    group,
    version,
    resource,
    subresource,
    namespace: scoped ? (parts[1] ?? "") : ownNamespace,
    name,
    overlong: more.length > 0,
  };
}

const NAMESPACE_PARTS: ReadonlySet<string> = new Set(["status", "finalize"]);
const COLLECTION_VERBS: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

function verbOf(method: string, named: boolean, query: URLSearchParams): string {
  switch (method) {
    case "GET":
    case "HEAD":
      if (named) return "get";
      return isTrue(query.get("watch")) ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return named ? "delete" : "deletecollection";
    default:
      return method.toLowerCase();
  }
}

/** A query parameter as the server reads booleans: anything but "false" and "0" is true. */
export function isTrue(text: string | null): boolean {
  return text !== null && text !== "0" && text.toLowerCase() !== "false";
}
