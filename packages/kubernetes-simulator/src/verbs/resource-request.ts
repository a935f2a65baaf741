import type { ResourceKind, Subresource } from "../api/resource-kind.js";
import type { ObjectForm } from "../http/negotiate.js";

/** A request for a stored kind: authenticated, authorised and routed. */
export interface ResourceRequest {
  readonly verb: string;
  readonly kind: ResourceKind;
  readonly subresource: Subresource["name"] | "";
  /** "" for cluster-scoped kinds and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly contentType: string;
  readonly form: ObjectForm;
  readonly user: string;
  /** The first word of the User-Agent: the field manager of a client that names none. */
  readonly agent: string;
}
