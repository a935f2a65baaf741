import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

import { UNAUTHENTICATED, type Identity } from "./authorizer.js";
import type { CertificateSubject, Users } from "./users.js";

/** Who somebody is who shows nothing. */
export const ANONYMOUS: Identity = {
  name: "system:anonymous",
  groups: [UNAUTHENTICATED],
};

/**
 * Who sends a request: by client certificate, else by bearer token. Undefined, so 401, for a wrong
 * token and for a certificate that doesn't verify; anonymous for neither.
 */
export function authenticate(request: IncomingMessage, users: Users): Identity | undefined {
  const certificate = readCertificate(request);
  if (certificate === "unverified") return undefined;
  if (certificate !== undefined) return users.byCertificate(certificate);
  const { authorization } = request.headers;
  const token = /^bearer +(\S+)$/iu.exec(authorization ?? "")?.[1];
  return token === undefined ? ANONYMOUS : users.byToken(token);
}

function readCertificate(request: IncomingMessage): CertificateSubject | "unverified" | undefined {
  const { socket } = request;
  if (!(socket instanceof TLSSocket)) return undefined;
  const certificate = socket.getPeerCertificate();
  // Node gives an empty object when the client sent none.
  if (Object.keys(certificate).length === 0) return undefined;
  if (!socket.authorized) return "unverified";
  const { CN: name, O: groups } = certificate.subject;
  return {
    name: firstOf(name),
    groups: listOf(groups),
    fingerprint: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
  };
}

function firstOf(value: string | readonly string[] | undefined): string {
  return listOf(value)[0] ?? "";
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}
