import { X509Certificate } from "node:crypto";
import { caBytesMax } from "@connectors/domain";
import { fail, sha256Hex, succeed, type Outcome } from "@connectors/sdk";
import { readMaterial, type Material } from "./material.js";

/** Whom a connection believes, and the digest that an approver signs for it. */
export interface Trust {
  /** The CA bundle that replaces the system's roots; null for the other two. */
  readonly caPem: string | null;
  /** Digest of the CA bundle, or `system`, or `unverified`. */
  readonly sha256: string;
  /** When the first of the CA certificates expires; null without a bundle. */
  readonly caNotAfterMs: number | null;
}

/** The trust that a cluster's settings ask for; the CA's file is read anew. */
export async function readTrust(options: {
  readonly ca: Material | null;
  readonly insecure: boolean;
}): Promise<Outcome<Trust>> {
  if (options.insecure) {
    return succeed({ caPem: null, sha256: "unverified", caNotAfterMs: null });
  }
  if (options.ca === null) return succeed({ caPem: null, sha256: "system", caNotAfterMs: null });
  const pem = await readMaterial(options.ca, "the certificate-authority", caBytesMax);
  return pem.ok ? parseCaBundle(pem.value.reveal()) : pem;
}

/**
 * The trust in a PEM bundle: the SHA-256 of its certificates' distinct SHA-256 digests (of their
 * DER), sorted and concatenated as bytes, so that order and comments do not matter.
 *
 * `invalid_input` for a bundle without a certificate, or with one that cannot be parsed.
 */
export function parseCaBundle(pem: string): Outcome<Trust> {
  const certificates = parseCertificates(pem);
  if (certificates === undefined || certificates.length === 0) {
    return fail("invalid_input", "the certificate-authority holds no readable certificate");
  }
  const digests = new Set(certificates.map((certificate) => sha256Hex(certificate.raw)));
  return succeed({
    caPem: pem,
    sha256: sha256Hex(Buffer.from([...digests].toSorted().join(""), "hex")),
    caNotAfterMs: Math.min(...certificates.map(notAfterMs)),
  });
}

/** The certificates of a PEM text in order; undefined when one of them cannot be parsed. */
export function parseCertificates(pem: string): readonly X509Certificate[] | undefined {
  const blocks = pem.match(certificateBlock) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}

/** When a certificate expires, in milliseconds since the epoch. */
export function notAfterMs(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo);
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
