import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { caBytesMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { BaseUrl } from "./base-url.js";
import {
  openCertificate,
  parseClientCertificate,
  type CertificatePair,
  type ClientCertificate,
} from "./client-certificate.js";

/** How a connection tells the right server from another, and itself from others. */
export interface TlsOptions {
  /** PEM bundle; replaces the built-in roots. */
  readonly ca?: Uint8Array;
  readonly certificate?: CertificatePair;
  /** The name that the server's certificate must carry, where it is not the address's. */
  readonly serverName?: string;
  /** Accepts any server; whoever sets it says so elsewhere. Excludes `ca`. */
  readonly insecureSkipVerify?: boolean;
}

/** Checked TLS settings; PEM text of the roots, or nothing for the built-in ones. */
export interface Trust {
  readonly roots: readonly string[] | undefined;
  readonly certificate: ClientCertificate | undefined;
  /** The name to verify; also sent as SNI unless it is an address. */
  readonly name: string;
  readonly verify: boolean;
}

/** What one TLS handshake needs, for one client certificate or none. */
export interface TlsPlan {
  readonly context: SecureContext;
  readonly name: string;
  readonly verify: boolean;
}

const block = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;
const blockStart = "-----BEGIN CERTIFICATE-----";

/** The settings, when every part of them is usable; else `invalid_input`. */
export function parseTrust(base: BaseUrl, options: TlsOptions): Outcome<Trust> {
  const roots = options.ca === undefined ? succeed(undefined) : parseRoots(options.ca);
  if (!roots.ok) return roots;
  if (roots.value !== undefined && options.insecureSkipVerify === true) {
    return fail(
      "invalid_input",
      "A CA bundle is given and verification is turned off; choose one.",
    );
  }
  const name = options.serverName ?? base.host;
  if (isIP(name) === 0 && !/^[A-Za-z0-9._-]{1,253}$/.test(name)) {
    return fail("invalid_input", "The server name is not a host name.");
  }
  const certificate =
    options.certificate === undefined
      ? succeed(undefined)
      : parseClientCertificate(options.certificate);
  if (!certificate.ok) return certificate;
  return succeed({
    roots: roots.value,
    certificate: certificate.value,
    name,
    verify: options.insecureSkipVerify !== true,
  });
}

/** A handshake's plan that presents `certificate`, or none. */
export function makeTlsPlan(trust: Trust, certificate: ClientCertificate | undefined): TlsPlan {
  const pair = certificate === undefined ? undefined : openCertificate(certificate);
  const context = createSecureContext({
    minVersion: "TLSv1.2",
    ...(trust.roots === undefined ? {} : { ca: [...trust.roots] }),
    ...(pair === undefined ? {} : { cert: Buffer.from(pair.cert), key: Buffer.from(pair.key) }),
  });
  return { context, name: trust.name, verify: trust.verify };
}

function parseRoots(bundle: Uint8Array): Outcome<readonly string[]> {
  if (bundle.length > caBytesMax) {
    return fail("capacity", "The CA bundle is larger than its bound.");
  }
  const text = Buffer.from(bundle).toString("latin1");
  const blocks = text.match(block) ?? [];
  // Node skips what it cannot parse, and then trusts less, or nothing, without a word.
  if (blocks.length === 0 || blocks.length !== text.split(blockStart).length - 1) {
    return fail("invalid_input", "The CA bundle holds no certificate, or a broken one.");
  }
  for (const pem of blocks) {
    if (!isCertificate(pem)) {
      return fail("invalid_input", "The CA bundle holds no certificate, or a broken one.");
    }
  }
  return succeed(blocks);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
