import { statusBytesMax, statusCausesMax } from "@connectors/domain";
import { succeed, type Outcome } from "@connectors/sdk";
import { isOfKind, parseWireDocument, refuseAnswer } from "./wire-document.js";
import type { WireObject } from "./wire-object.js";

/** One cause among a Status's details; absent members are null. */
export interface StatusCause {
  readonly reason: string | null;
  readonly message: string | null;
  readonly field: string | null;
}

/** Whom a Status is about; absent members are null. */
export interface StatusDetails {
  readonly name: string | null;
  readonly group: string | null;
  readonly kind: string | null;
  readonly uid: string | null;
  readonly causes: readonly StatusCause[];
  readonly retryAfterSeconds: number | null;
}

/** A v1 Status as the wire has it; `message` is the provider's text and is never shown. */
export interface Status {
  readonly status: "Success" | "Failure";
  readonly reason: string | null;
  readonly code: number | null;
  readonly message: string | null;
  readonly details: StatusDetails | null;
}

/**
 * The v1 Status of an HTTP answer; it calls itself `v1` `Status`.
 *
 * `upstream_protocol` for anything else, more than `statusCausesMax` causes included, since a
 * cause that was not read could be the one that matters; `capacity` beyond `statusBytesMax`.
 */
export function parseStatus(bytes: Uint8Array): Outcome<Status> {
  const document = parseWireDocument(bytes, statusBytesMax);
  if (!document.ok) return document;
  if (!isOfKind(document.value, { apiVersion: "v1", kind: "Status" })) {
    return refuseAnswer("the answer is not a v1 Status");
  }
  return readStatus(document.value);
}

/**
 * The Status at the end of an exec stream. The kubelet leaves `kind` and `apiVersion` out; a
 * document that has them and is something else is refused. Otherwise as `parseStatus`.
 */
export function parseExecStatus(bytes: Uint8Array): Outcome<Status> {
  const document = parseWireDocument(bytes, statusBytesMax);
  if (!document.ok) return document;
  const kind = document.value.text("kind");
  const apiVersion = document.value.text("apiVersion");
  if ((kind !== null && kind !== "Status") || (apiVersion !== null && apiVersion !== "v1")) {
    return refuseAnswer("the stream's status is another object");
  }
  return readStatus(document.value);
}

function readStatus(document: WireObject): Outcome<Status> {
  const outcome = document.text("status");
  const details = document.optional("details");
  const causes = details?.objects("causes") ?? [];
  if (causes.length > statusCausesMax) return refuseAnswer("the Status has too many causes");
  const status = {
    reason: document.text("reason"),
    code: document.integer("code"),
    message: document.text("message"),
    details: details === null ? null : readDetails(details, causes),
  };
  if (!document.wellTyped() || (outcome !== "Success" && outcome !== "Failure")) {
    return refuseAnswer("the Status is malformed");
  }
  return succeed({ status: outcome, ...status });
}

function readDetails(details: WireObject, causes: readonly WireObject[]): StatusDetails {
  return {
    name: details.text("name"),
    group: details.text("group"),
    kind: details.text("kind"),
    uid: details.text("uid"),
    retryAfterSeconds: details.integer("retryAfterSeconds"),
    causes: causes.map((cause) => ({
      reason: cause.text("reason"),
      message: cause.text("message"),
      field: cause.text("field"),
    })),
  };
}
