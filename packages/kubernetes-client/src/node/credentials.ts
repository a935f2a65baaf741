import { X509Certificate } from "node:crypto";
import { credentialFileBytesMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { CredentialLines } from "@connectors/transport";
import { readNamedFile } from "./bounded-file.js";
import type { ConnectionFiles } from "./connection-files.js";
import { encodeCredential, type CredentialParts } from "./credential-lines.js";
import { readMaterial } from "./material.js";
import type { PluginCredentials } from "./plugin-credentials.js";
import { makeSecretText, type SecretText } from "./secret-text.js";
import { notAfterMs, parseCertificates } from "./trust.js";
import type { Authorization, CertificatePair } from "./user-settings.js";

/** The client certificate of a credential, as PEM. */
export interface CertificatePem {
  readonly pem: SecretText;
  readonly key: SecretText;
}

/**
 * The credential of a connection's user, fixed now: token and certificate files are read anew, an
 * exec plugin is asked through `plugins`. `unauthorized` for a client certificate that has expired
 * at `nowMs`; otherwise fails as its parts do.
 */
export async function resolveCredential(
  files: ConnectionFiles,
  plugins: PluginCredentials,
  options: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<Outcome<CredentialLines>> {
  const parts = await readParts(files, plugins, options.signal);
  if (!parts.ok) return parts;
  const { certificate } = parts.value;
  if (certificate !== null) {
    const expiry = readCertificateExpiry(certificate.pem.reveal());
    if (!expiry.ok) return expiry;
    if (expiry.value < options.nowMs) {
      return fail("unauthorized", "the client certificate has expired", {
        hint: "Renew it where the kubeconfig's user comes from; `connectors adapters check NAME`.",
      });
    }
  }
  return encodeCredential(parts.value);
}

/** When the first certificate of a client's chain expires; `invalid_input` when there is none. */
export function readCertificateExpiry(pem: string): Outcome<number> {
  const leaf: X509Certificate | undefined = parseCertificates(pem)?.[0];
  return leaf === undefined
    ? fail("invalid_input", "the client certificate holds no readable certificate")
    : succeed(notAfterMs(leaf));
}

/** The user's certificate pair; both halves are read in one go. */
export async function readCertificatePair(pair: CertificatePair): Promise<Outcome<CertificatePem>> {
  const pem = await readMaterial(pair.certificate, "the client certificate");
  if (!pem.ok) return pem;
  const key = await readMaterial(pair.key, "the client certificate's key");
  return key.ok ? succeed({ pem: pem.value, key: key.value }) : key;
}

async function readParts(
  { cluster, trust, user }: ConnectionFiles,
  plugins: PluginCredentials,
  signal: AbortSignal,
): Promise<Outcome<CredentialParts>> {
  const { impersonation } = user;
  if (user.authorization.kind === "exec") {
    const { plugin } = user.authorization;
    const ran = await plugins.resolve({ plugin, cluster, caPem: trust.caPem }, signal);
    if (!ran.ok) return ran;
    const { token, certificate } = ran.value;
    return succeed({
      authorization: token === null ? { kind: "none" } : { kind: "token", token },
      certificate,
      impersonation,
    });
  }
  const authorization = await readAuthorization(user.authorization);
  if (!authorization.ok) return authorization;
  const certificate =
    user.certificate === null ? succeed(null) : await readCertificatePair(user.certificate);
  if (!certificate.ok) return certificate;
  return succeed({
    authorization: authorization.value,
    certificate: certificate.value,
    impersonation,
  });
}

async function readAuthorization(
  authorization: Exclude<Authorization, { readonly kind: "exec" }>,
): Promise<Outcome<CredentialParts["authorization"]>> {
  if (authorization.kind !== "token_file") return succeed(authorization);
  const read = await readNamedFile({
    path: authorization.path,
    what: "the token file",
    bytesMax: credentialFileBytesMax,
  });
  if (!read.ok) return read;
  return succeed({
    kind: "token",
    token: makeSecretText(read.value.toString("latin1").trim()),
  });
}
