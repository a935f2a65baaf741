import "reflect-metadata";

import { webcrypto } from "node:crypto";
import { isIP } from "node:net";

import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  type Extension,
  type JsonName,
  type X509Certificate,
} from "@peculiar/x509";

import type { Random } from "./ports.js";

/** A certificate and its key, both PEM. */
export interface CertificatePair {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** A client certificate to make. */
export interface ClientCertificate {
  /** The common name: the user. */
  readonly name: string;
  /** Organisations: the groups. */
  readonly groups: readonly string[];
  readonly validity: "valid" | "expired" | "not_yet_valid";
}

/** A certificate authority of this process; its key never leaves it. */
export interface Authority {
  readonly certificatePem: string;
  /** A server's certificate for these addresses and names. */
  readonly issueServer: (hosts: readonly string[]) => Promise<CertificatePair>;
  readonly issueClient: (client: ClientCertificate) => Promise<CertificatePair>;
}

const EC = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

// Fixed dates: TLS compares them with the machine's time, whatever clock the simulator is given.
const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const SOON_AFTER = new Date("2020-01-02T00:00:00Z");
const FAR_AHEAD = new Date("2099-12-31T00:00:00Z");
const NOT_YET = new Date("2099-01-01T00:00:00Z");

/** A fresh authority named `name`. */
export async function openAuthority(name: string, random: Random): Promise<Authority> {
  const keys = await makeKeys();
  const subject: JsonName = [{ CN: [name] }];
  const certificate = await signOwn(subject, keys, makeSerial(random));

  const issue = async (
    holder: JsonName,
    extensions: readonly Extension[],
    period: { readonly from: Date; readonly to: Date },
  ): Promise<CertificatePair> => {
    const own = await makeKeys();
    const issued = await X509CertificateGenerator.create(
      {
        serialNumber: makeSerial(random),
        subject: holder,
        issuer: subject,
        notBefore: period.from,
        notAfter: period.to,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: EC,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          ...extensions,
        ],
      },
      webcrypto,
    );
    return { certificatePem: issued.toString("pem"), keyPem: await exportKey(own.privateKey) };
  };

  return {
    certificatePem: certificate.toString("pem"),
    issueServer: (hosts) =>
      issue(
        [{ CN: ["kube-apiserver"] }],
        [
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
          new SubjectAlternativeNameExtension(
            hosts.map((host) => ({ type: isIP(host) === 0 ? "dns" : "ip", value: host })),
          ),
        ],
        { from: LONG_AGO, to: FAR_AHEAD },
      ),
    issueClient: ({ name: user, groups, validity }) =>
      issue(
        [...groups.map((group) => ({ O: [group] })), { CN: [user] }],
        [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
        {
          from: validity === "not_yet_valid" ? NOT_YET : LONG_AGO,
          to: validity === "expired" ? SOON_AFTER : FAR_AHEAD,
        },
      ),
  };
}

async function signOwn(
  name: JsonName,
  keys: webcrypto.CryptoKeyPair,
  serialNumber: string,
): Promise<X509Certificate> {
  return await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber,
      name,
      notBefore: LONG_AGO,
      notAfter: FAR_AHEAD,
      signingAlgorithm: EC,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
}

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(EC, true, ["sign", "verify"]);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}

// Positive and of full length: the first byte is neither 0 nor negative.
function makeSerial(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
}
