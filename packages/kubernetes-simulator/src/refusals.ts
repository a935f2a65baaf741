import { quote } from "./go-format.js";
import { causesOf, describeErrors, type FieldError } from "./rules/field-error.js";
import { makeFailure, type Status, type StatusDetails } from "./status.js";

/** A resource as messages and details name it. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** `deployments.apps`, `pods`. */
export function qualified({ group, plural }: GroupResource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function detailsOf(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(resource.group === "" ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

/** 404: no such object. */
export function notFound(resource: GroupResource, name: string): Status {
  const message = `${qualified(resource)} ${quote(name)} not found`;
  return makeFailure(404, "NotFound", message, detailsOf(resource, name));
}

/** 409: an object of this name exists, or still does. */
export function alreadyExists(resource: GroupResource, name: string, deleting: boolean): Status {
  const prefix = deleting ? "object is being deleted: " : "";
  const message = `${prefix}${qualified(resource)} ${quote(name)} already exists`;
  return makeFailure(409, "AlreadyExists", message, detailsOf(resource, name));
}

const MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 409: the object is not at the version, or not the one, that the request is about. */
export function conflict(resource: GroupResource, name: string, why: string = MODIFIED): Status {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} ${quote(name)}: ${why}`;
  return makeFailure(409, "Conflict", message, detailsOf(resource, name));
}

/** 403 of the object itself: `why` follows "is forbidden: " and may be empty. */
export function forbiddenObject(
  resource: GroupResource,
  name: string,
  why: string,
  causes?: StatusDetails["causes"],
): Status {
  const subject = name === "" ? qualified(resource) : `${qualified(resource)} ${quote(name)}`;
  return makeFailure(403, "Forbidden", `${subject} is forbidden: ${why}`, {
    ...detailsOf(resource, name),
    ...(causes === undefined ? {} : { causes }),
  });
}

/** 403 of a path that is no resource. */
export function forbiddenPath(user: string, verb: string, path: string): Status {
  const message = `forbidden: User ${quote(user)} cannot ${verb} path ${quote(path)}`;
  return makeFailure(403, "Forbidden", message, {});
}

/** 401. */
export function unauthorized(): Status {
  return makeFailure(401, "Unauthorized", "Unauthorized");
}

/** 400: what was sent makes no sense. */
export function badRequest(message: string): Status {
  return makeFailure(400, "BadRequest", message);
}

/** 422: the object breaks rules of its kind. */
export function invalidObject(
  { group, kind }: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): Status {
  const type = group === "" ? kind : `${kind}.${group}`;
  const message = `${type} ${quote(name)} is invalid: ${describeErrors(errors)}`;
  return makeFailure(422, "Invalid", message, {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
    causes: causesOf(errors),
  });
}

/** 422: a parameter of the request itself, with `options` its kind in meta.k8s.io. */
export function invalidOptions(options: string, errors: readonly FieldError[]): Status {
  return invalidObject({ group: "meta.k8s.io", kind: options }, "", errors);
}

/** 422 of a patch that was read but whose result is no object of the kind. */
export function unusablePatch(shown: string, why: string): Status {
  const error: FieldError = {
    reason: "FieldValueInvalid",
    field: "patch",
    message: `Invalid value: ${quote(shown)}: ${why}`,
  };
  return invalidObject({ group: "", kind: "" }, "", [error]);
}

/** 422 of a JSON Patch that does not apply, a failed `test` above all. */
export function rejectedPatch(): Status {
  const message = "the server rejected our request due to an error in our request";
  return makeFailure(422, "Invalid", message, {});
}

/** 404 of a path below a group-version that is no resource. */
export function noSuchResource(): Status {
  const message = "the server could not find the requested resource";
  return makeFailure(404, "NotFound", message, {});
}

/** 405. */
export function methodNotAllowed(): Status {
  const message = "the server does not allow this method on the requested resource";
  return makeFailure(405, "MethodNotAllowed", message, {});
}

/** 406. */
export function notAcceptable(): Status {
  const message = "406: Not Acceptable\n\nAvailable representations: application/json";
  return makeFailure(406, "NotAcceptable", message, {});
}

/** 415 of a body that is to be an object. */
export function unsupportedBody(): Status {
  const message =
    "the body of the request was in an unknown format - " +
    "accepted media types include: application/json";
  return makeFailure(415, "UnsupportedMediaType", message);
}

/** 415 of a patch. */
export function unsupportedPatch(): Status {
  return makeFailure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

/** 413. */
export function bodyTooLarge(bytesMax: number): Status {
  const message = `Request entity too large: limit is ${bytesMax}`;
  return makeFailure(413, "RequestEntityTooLarge", message);
}

/** 410: the version asked for is not kept any more. */
export function expired(message: string): Status {
  return makeFailure(410, "Expired", message);
}

/** 504: the version asked for is not there yet. */
export function tooLargeVersion(asked: string, current: number): Status {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return makeFailure(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** 429: no room for one more of `what` now. */
export function tooManyRequests(what: string): Status {
  const message = `too many ${what}, please try again later`;
  return makeFailure(429, "TooManyRequests", message, { retryAfterSeconds: 1 });
}

/** 500 as the server gives it to an error it has no word for: a message, no reason. */
export function bareError(message: string): Status {
  return makeFailure(500, undefined, message);
}

/** 500 with reason InternalError. */
export function internalError(message: string): Status {
  return makeFailure(500, "InternalError", `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

/** 500 of an object that the store would not take, in etcd's words. */
export function objectTooLarge(): Status {
  return bareError("etcdserver: request is too large");
}

/** 507: the store holds all the objects that it may. */
export function storeFull(objectsMax: number): Status {
  return makeFailure(507, undefined, `the simulator holds at most ${objectsMax} objects`);
}
