import type { IncomingMessage } from "node:http";

import { authenticate, ANONYMOUS } from "../access/authenticate.js";
import type { Authorizer, Identity } from "../access/authorizer.js";
import type { Users } from "../access/users.js";
import { quote } from "../go-format.js";
import { forbiddenObject, forbiddenPath, unauthorized } from "../refusals.js";
import type { Status } from "../status.js";
import type { RequestInfo } from "./request-info.js";

/** Who may come in, and what for. */
export interface Gate {
  /** Who sends the request; undefined for 401. */
  readonly identify: (request: IncomingMessage) => Identity | undefined;
  /** The refusal of what somebody may not do. */
  readonly refuse: (
    request: IncomingMessage,
    identity: Identity | undefined,
    info: RequestInfo,
  ) => Status | undefined;
}

/** A gate over users and rules; `anonymous` says what becomes of those who show nothing. */
export function makeGate(
  users: Users,
  authorizer: Authorizer,
  anonymous: "refused" | "allowed",
): Gate {
  return {
    identify: (request) => authenticate(request, users),
    refuse: (request, identity, info) => {
      if (identity === undefined) return unauthorized();
      const allowed = isAllowed(authorizer, identity, info);
      // With anonymous access off only what is public stays open to those who show nothing.
      if (identity === ANONYMOUS && anonymous === "refused" && !allowed) return unauthorized();
      if (!allowed) return describeDenial(identity, info);
      const impersonated = request.headers["impersonate-user"];
      return impersonated === undefined ? undefined : refuseImpersonation(identity, impersonated);
    },
  };
}

function isAllowed(authorizer: Authorizer, identity: Identity, info: RequestInfo): boolean {
  return info.kind === "path"
    ? authorizer.allowsPath(identity, info.verb, info.path)
    : authorizer.allowsResource(identity, info);
}

function describeDenial(identity: Identity, info: RequestInfo): Status {
  if (info.kind === "path") return forbiddenPath(identity.name, info.verb, info.path);
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const where =
    info.namespace === "" ? "at the cluster scope" : `in the namespace ${quote(info.namespace)}`;
  const why =
    `User ${quote(identity.name)} cannot ${info.verb} resource ${quote(resource)} ` +
    `in API group ${quote(info.group)} ${where}`;
  return forbiddenObject({ group: info.group, plural: info.resource }, info.name, why);
}

// Nobody may impersonate here, not even an administrator: the simulator has no such thing.
function refuseImpersonation(identity: Identity, impersonated: string | readonly string[]): Status {
  const name = typeof impersonated === "string" ? impersonated : (impersonated[0] ?? "");
  const why =
    `User ${quote(identity.name)} cannot impersonate resource "users" ` +
    'in API group "" at the cluster scope';
  return forbiddenObject({ group: "", plural: "users" }, name, why);
}
