import { timingSafeEqual } from "node:crypto";
import { credentialBytesMax } from "@connectors/domain";
import { fail, invariant, succeed, type Outcome } from "@connectors/sdk";
import {
  parseClientCertificate,
  type CertificatePair,
  type ClientCertificate,
} from "./client-certificate.js";
import { isToken } from "./header-lines.js";

/** One header line; a value given as text is sent as UTF-8. */
export type CredentialLine = readonly [name: string, value: string | Uint8Array];

/**
 * What a request carries to say who asks: ordered header lines, and perhaps a client certificate.
 *
 * Opaque: its bytes lie behind a private field, it prints as `[credential]`, and only this package
 * can read it. Made by {@link makeCredentialLines}.
 */
export interface CredentialLines {
  /** Whether it has any header line; one without is anonymous, or a certificate alone. */
  readonly anonymous: boolean;
  /** Fixed text that says nothing of the bytes. */
  toString(): string;
}

/** Where a credential comes from; asked once per request. */
export interface CredentialSource {
  resolve(signal: AbortSignal): Promise<Outcome<CredentialLines>>;
}

/** A credential opened for one request. */
export interface OpenedCredential {
  /** Names and values in turn, ready for a request. */
  readonly lines: readonly string[];
  readonly certificate: ClientCertificate | undefined;
}

interface Line {
  readonly name: string;
  readonly value: Uint8Array;
}

const shown = "[credential]";
const encoder = new TextEncoder();

class SealedCredential implements CredentialLines {
  readonly anonymous: boolean;
  readonly #lines: readonly Line[];
  readonly #certificate: ClientCertificate | undefined;

  constructor(lines: readonly Line[], certificate: ClientCertificate | undefined) {
    this.anonymous = lines.length === 0;
    this.#lines = lines;
    this.#certificate = certificate;
  }

  static open(value: CredentialLines): OpenedCredential {
    invariant(#lines in value, "a credential is made by makeCredentialLines");
    return {
      // Node and undici write header text as latin1, so the bytes arrive as they were given.
      lines: value.#lines.flatMap((line) => [
        line.name,
        Buffer.from(line.value).toString("latin1"),
      ]),
      certificate: value.#certificate,
    };
  }

  static same(a: CredentialLines, b: CredentialLines): boolean {
    invariant(#lines in a && #lines in b, "a credential is made by makeCredentialLines");
    if (a.#certificate?.fingerprint !== b.#certificate?.fingerprint) return false;
    const left = a.#lines;
    const right = b.#lines;
    return left.length === right.length && left.every((line, at) => sameLine(line, right[at]));
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

// Names that frame HTTP, and those that this package sets itself.
const refusedNames: ReadonlySet<string> = new Set(
  [
    "host content-length transfer-encoding connection proxy-connection keep-alive te trailer",
    "upgrade expect proxy-authorization",
    "accept accept-encoding content-type content-encoding user-agent audit-id",
  ].flatMap((names) => names.split(" ")),
);

/**
 * A credential of these header lines, in this order; names may repeat. Refused as `invalid_input`:
 * a name that frames HTTP or that a request sets itself, a value that is empty, has outer blanks
 * or control characters, and a certificate that its key does not fit.
 */
export function makeCredentialLines(
  lines: readonly CredentialLine[],
  certificate?: CertificatePair,
): Outcome<CredentialLines> {
  const kept: Line[] = [];
  let bytes = 0;
  for (const [name, value] of lines) {
    if (!isToken(name) || refusedNames.has(name.toLowerCase()) || /^sec-/i.test(name)) {
      return fail("invalid_input", "A header of the credential has a name that it may not have.");
    }
    const raw = typeof value === "string" ? encoder.encode(value) : Uint8Array.from(value);
    if (!isCredentialValue(raw)) {
      return fail("invalid_input", "A header of the credential has a value that cannot be sent.");
    }
    bytes += name.length + raw.length;
    if (bytes > credentialBytesMax) {
      return fail("capacity", "The credential is larger than its bound.");
    }
    kept.push({ name, value: raw });
  }
  if (certificate === undefined) return succeed(new SealedCredential(kept, undefined));
  const parsed = parseClientCertificate(certificate);
  return parsed.ok ? succeed(new SealedCredential(kept, parsed.value)) : parsed;
}

const fixed = new WeakMap<CredentialSource, CredentialLines>();

/** A source that always answers with `credential`. */
export function makeFixedCredential(credential: CredentialLines): CredentialSource {
  const answer = succeed(credential);
  const source = { resolve: () => Promise.resolve(answer) };
  fixed.set(source, credential);
  return source;
}

/** The credential of a source made by {@link makeFixedCredential}, which need not be asked. */
export function fixedCredentialOf(source: CredentialSource): CredentialLines | undefined {
  return fixed.get(source);
}

/** Whether two credentials carry the same bytes; neither is shown. */
export function isSameCredential(a: CredentialLines, b: CredentialLines): boolean {
  return SealedCredential.same(a, b);
}

/** The lines of a credential, for one request; dropped by the caller after it. */
export function openCredential(credential: CredentialLines): OpenedCredential {
  return SealedCredential.open(credential);
}

function isCredentialValue(raw: Uint8Array): boolean {
  const first = raw[0];
  const last = raw.at(-1);
  if (first === undefined || last === undefined || first <= 0x20 || last <= 0x20) return false;
  return raw.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

function sameLine(a: Line, b: Line | undefined): boolean {
  return (
    b !== undefined &&
    a.name.toLowerCase() === b.name.toLowerCase() &&
    a.value.length === b.value.length &&
    timingSafeEqual(a.value, b.value)
  );
}
