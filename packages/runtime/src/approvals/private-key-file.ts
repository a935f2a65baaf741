import { createPrivateKey, type KeyObject } from "node:crypto";
import {
  encodeCanonicalPrivateKeyFile,
  jsonDepthMax,
  parsePrivateKeyFile,
  stateFileBytesMax,
  type Name,
  type PrivateKeyFile,
} from "@connectors/domain";
import { fail, parseJson, succeed, type Outcome } from "@connectors/sdk";
import { trusted } from "../identity/trusted.js";
import { describeSigningKey, type SigningKey } from "./signing-key.js";

/** A signing key in custody, and whose it is. */
export interface OpenedKey extends SigningKey {
  readonly approver: Name;
}

/** The bytes of a private key file: PKCS#8, encrypted when there is a passphrase. */
export function encodePrivateKeyFile(
  key: SigningKey,
  facts: {
    readonly approver: Name;
    readonly createdAtMs: number;
    readonly passphrase: string | null;
  },
): Uint8Array {
  const file = {
    format: "connectors.key/1",
    kid: key.kid,
    approver: facts.approver,
    public_key: key.publicKey,
    pkcs8_pem: encodePem(key.privateKey, facts.passphrase),
    encrypted: facts.passphrase !== null,
    created_at_ms: facts.createdAtMs,
  };
  const parsed = trusted(parsePrivateKeyFile(file), "a private key file fits its model");
  return new TextEncoder().encode(`${encodeCanonicalPrivateKeyFile(parsed)}\n`);
}

function encodePem(key: KeyObject, passphrase: string | null): string {
  const pem =
    passphrase === null
      ? key.export({ type: "pkcs8", format: "pem" })
      : key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase });
  return pem.toString();
}

/** The file that the bytes hold; `encrypted` says whether opening it takes a passphrase. */
export function parsePrivateKeyBytes(bytes: Uint8Array): Outcome<PrivateKeyFile> {
  const json = parseJson(bytes, { bytesMax: stateFileBytesMax, depthMax: jsonDepthMax });
  if (!json.ok) return fail("invalid_input", "the private key file is not strict JSON");
  const parsed = parsePrivateKeyFile(json.value);
  // No issue is repeated here: one of the members is the key itself.
  if (!parsed.ok) return fail("invalid_input", "the private key file does not fit its model");
  return succeed(parsed.value);
}

/** The key that a file holds; `unauthorized` when the passphrase does not open it. */
export function openPrivateKey(
  file: PrivateKeyFile,
  passphrase: string | null,
): Outcome<OpenedKey> {
  if (file.encrypted && passphrase === null) {
    return fail("unauthorized", "the private key is encrypted and no passphrase was given");
  }
  const privateKey = readPem(file.pkcs8_pem, file.encrypted ? passphrase : null);
  if (privateKey === undefined) {
    return file.encrypted
      ? fail("unauthorized", "the passphrase does not open the private key")
      : fail("invalid_input", "the private key file holds no Ed25519 key");
  }
  const key = describeSigningKey(privateKey);
  if (key.kid !== file.kid || key.publicKey !== file.public_key) {
    return fail("invalid_input", "the private key is not the one that its file names");
  }
  return succeed({ ...key, approver: file.approver });
}

function readPem(pem: string, passphrase: string | null): KeyObject | undefined {
  try {
    const key =
      passphrase === null
        ? createPrivateKey(pem)
        : createPrivateKey({ key: pem, format: "pem", passphrase });
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    // OpenSSL's reasons tell a wrong passphrase from a damaged file only by chance.
    return undefined;
  }
}
