import { createHash } from "node:crypto";
import { createSecureContext } from "node:tls";
import { fail, succeed, type Outcome } from "@connectors/sdk";

/** A client certificate chain and its private key, PEM, captured together. */
export interface CertificatePair {
  readonly cert: Uint8Array;
  readonly key: Uint8Array;
}

/** A pair that was checked to belong together; prints nothing of itself. */
export interface ClientCertificate {
  /** Equal for equal pairs; names the connections that present this one. */
  readonly fingerprint: string;
}

const shown = "[client certificate]";

class SealedCertificate implements ClientCertificate {
  readonly fingerprint: string;
  readonly #cert: Buffer;
  readonly #key: Buffer;

  constructor(pair: CertificatePair) {
    this.#cert = Buffer.from(pair.cert);
    this.#key = Buffer.from(pair.key);
    this.fingerprint = createHash("sha256")
      .update(`${this.#cert.length}:`)
      .update(this.#cert)
      .update(this.#key)
      .digest("hex");
  }

  static open(value: ClientCertificate): CertificatePair | undefined {
    return #key in value ? { cert: value.#cert, key: value.#key } : undefined;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return shown;
  }
}

/** The pair as a value that can be kept; refused when the key is not the certificate's. */
export function parseClientCertificate(pair: CertificatePair): Outcome<ClientCertificate> {
  try {
    createSecureContext({ cert: Buffer.from(pair.cert), key: Buffer.from(pair.key) });
  } catch {
    // What the parser says may quote the key; that it refused is all that is told.
    return fail("invalid_input", "The client certificate and its key are not a usable PEM pair.");
  }
  return succeed(new SealedCertificate(pair));
}

/** The bytes of a certificate made here; nothing for a look-alike. */
export function openCertificate(certificate: ClientCertificate): CertificatePair | undefined {
  return SealedCertificate.open(certificate);
}
