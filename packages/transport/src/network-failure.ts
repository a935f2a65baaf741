import type { ErrorCode, SendEvidence, TransportReason } from "@connectors/domain";
import { makeFailure, type Failure, type SendFailure } from "@connectors/sdk";

interface Wording {
  readonly message: string;
  readonly hint?: string;
}

// Fixed text by reason: what Node, undici or a provider says never reaches a message.
const wordings: Readonly<Record<TransportReason, Wording>> = {
  name_not_found: {
    message: "The host name of the connection cannot be resolved.",
    hint: "Check the server's host name and this machine's DNS.",
  },
  connection_refused: {
    message: "Nobody listens at the address of the connection.",
    hint: "Check the server's address and port, and that it runs.",
  },
  unreachable: {
    message: "There is no way to the address of the connection.",
    hint: "Check the network, a VPN or a firewall on the way.",
  },
  tls_untrusted: {
    message: "The server's certificate is not signed by a trusted authority.",
    hint: "Check the connection's CA bundle; another server or a proxy may answer there.",
  },
  tls_wrong_name: {
    message: "The server's certificate is for another name.",
    hint: "Check the server's address, or name the server that the certificate is for.",
  },
  tls_expired: {
    message: "The server's certificate has expired or is not yet valid.",
    hint: "Renew the server's certificate, and check this machine's clock.",
  },
  tls_client_certificate: {
    message: "The server does not accept the connection's client certificate.",
    hint: "Renew the client certificate, or give the connection one.",
  },
  tls_handshake: {
    message: "The server and this side do not agree on TLS.",
    hint: "Check that the address speaks TLS 1.2 or newer.",
  },
  proxy_refused: {
    message: "The connection's proxy did not open a way to the server.",
    hint: "Check the proxy's address, its credential and its rules.",
  },
  connection_lost: { message: "The connection ended before the answer did." },
  malformed_answer: {
    message: "What answers at the address does not speak HTTP as it should.",
    hint: "Check what answers at that address; a proxy may stand between.",
  },
};

const reasons: ReadonlyMap<string, TransportReason> = new Map([
  ["ENOTFOUND", "name_not_found"],
  ["EAI_AGAIN", "name_not_found"],
  ["EAI_FAIL", "name_not_found"],
  ["ECONNREFUSED", "connection_refused"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["EADDRNOTAVAIL", "unreachable"],
  ["ETIMEDOUT", "unreachable"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls_wrong_name"],
  ["CERT_HAS_EXPIRED", "tls_expired"],
  ["CERT_NOT_YET_VALID", "tls_expired"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls_untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT", "tls_untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls_untrusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls_untrusted"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls_untrusted"],
  ["CERT_SIGNATURE_FAILURE", "tls_untrusted"],
  ["CERT_CHAIN_TOO_LONG", "tls_untrusted"],
  ["CERT_UNTRUSTED", "tls_untrusted"],
  ["CERT_REJECTED", "tls_untrusted"],
  ["CERT_REVOKED", "tls_untrusted"],
  ["INVALID_CA", "tls_untrusted"],
  ["INVALID_PURPOSE", "tls_untrusted"],
  ["PATH_LENGTH_EXCEEDED", "tls_untrusted"],
  ["EPROTO", "tls_handshake"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "connection_lost"],
]);

// OpenSSL names the alert that the peer sent; all of these speak of the client's certificate.
const certificateAlert =
  /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_(?:UNKNOWN|EXPIRED|REVOKED))/;

/** An error made here that carries its failure through a library's callback. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A coded failure of fixed text for whatever a socket, a parser or TLS threw. */
export function describeNetworkError(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  const code = codeOf(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
    return makeFailure("capacity", "The headers of the answer are larger than their bound.");
  }
  // Of bytes that are no HTTP at all, undici's error has this name and no code.
  const malformed = error instanceof Error && error.name === "HTTPParserError";
  return makeTransportFailure(malformed ? "malformed_answer" : reasonOf(code));
}

/** `unavailable`, and why as far as this side can tell; `code` when a stricter one is asked. */
export function makeTransportFailure(
  reason: TransportReason,
  code: ErrorCode = "unavailable",
): Failure {
  const { message, hint } = wordings[reason];
  return makeFailure(code, message, hint === undefined ? { reason } : { reason, hint });
}

/** What a failed send says: the failure, made honest about a request that may have left. */
export function withEvidence(failure: Failure, sent: SendEvidence): SendFailure {
  if (sent === "no") return { failure, sent };
  if (failure.code === "interrupted") {
    // That code promises that nothing was sent.
    const message = "The caller stopped the request when it may have been sent.";
    return { failure: makeFailure("unavailable", message, { effect: "unknown" }), sent };
  }
  return { failure: { ...failure, effect: "unknown", retry: "after_check" }, sent };
}

/** The string code of a thrown thing, or nothing. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

function reasonOf(code: string): TransportReason {
  const known = reasons.get(code);
  if (known !== undefined) return known;
  if (certificateAlert.test(code)) return "tls_client_certificate";
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) return "tls_handshake";
  return code.startsWith("HPE_") ? "malformed_answer" : "connection_lost";
}
