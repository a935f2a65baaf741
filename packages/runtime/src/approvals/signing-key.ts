import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { parseKid, type Kid } from "@connectors/domain";
import { invariant, type Random } from "@connectors/sdk";
import { trusted } from "../identity/trusted.js";
import { decodeBase64url, encodeBase64url } from "./base64url.js";

/** An Ed25519 key pair; `publicKey` is the raw public key in base64url (JWK `x`). */
export interface SigningKey {
  readonly kid: Kid;
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

const seedBytes = 32;
const publicKeyBytes = 32;

// RFC 8410 §7: everything of a PKCS#8 Ed25519 key but the seed is fixed.
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** A new key pair whose seed is drawn from `random`. */
export function makeSigningKey(random: Random): SigningKey {
  const der = Buffer.concat([pkcs8Prefix, random.bytes(seedBytes)]);
  return describeSigningKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
}

/** The key pair that an Ed25519 private key stands for. */
export function describeSigningKey(privateKey: KeyObject): SigningKey {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  invariant(x !== undefined && privateKey.asymmetricKeyType === "ed25519", "the key is Ed25519");
  return { kid: thumbprintOf(x), publicKey: x, privateKey };
}

/** The RFC 7638 thumbprint of an Ed25519 public key: SHA-256 of its required JWK members. */
export function thumbprintOf(publicKey: string): Kid {
  const members = `{"crv":"Ed25519","kty":"OKP","x":"${publicKey}"}`;
  const digest = createHash("sha256").update(members).digest();
  return trusted(parseKid(encodeBase64url(digest)), "a thumbprint is a kid");
}

/** The key object of a raw public key in base64url, or undefined when it is none. */
export function readPublicKey(publicKey: string): KeyObject | undefined {
  const raw = decodeBase64url(publicKey);
  if (raw?.byteLength !== publicKeyBytes || isSmallOrder(raw)) return undefined;
  return createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: publicKey },
    format: "jwk",
  });
}

// The y coordinates of the points whose order divides 8, in every encoding that OpenSSL takes
// (three of them plus p). For such a key anybody can make signatures that verify (seen).
const smallOrderPoints: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

function isSmallOrder(raw: Uint8Array): boolean {
  const y = Buffer.from(raw);
  // The last byte's high bit is the sign of x, which does not matter here.
  y.writeUInt8(y.readUInt8(publicKeyBytes - 1) & 0x7f, publicKeyBytes - 1);
  return smallOrderPoints.has(y.toString("hex"));
}
