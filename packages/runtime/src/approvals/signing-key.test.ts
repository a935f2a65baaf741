import { createHash, generateKeyPairSync, sign, verify } from "node:crypto";
import { parseName, stateFileBytesMax } from "@connectors/domain";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { describe, expect, test } from "vitest";
import { trusted } from "../identity/trusted.js";
import { encodePrivateKeyFile, openPrivateKey, parsePrivateKeyBytes } from "./private-key-file.js";
import { describeSigningKey, makeSigningKey, readPublicKey, thumbprintOf } from "./signing-key.js";

const random = makeManualAmbient().random;
const ada = trusted(parseName("ada"), "a name");

function fileOf(passphrase: string | null): Uint8Array {
  const facts = { approver: ada, createdAtMs: 1, passphrase };
  return encodePrivateKeyFile(makeSigningKey(makeManualAmbient({ seed: 9 }).random), facts);
}

function opened(bytes: Uint8Array, passphrase: string | null): string {
  const file = parsePrivateKeyBytes(bytes);
  if (!file.ok) return file.failure.code;
  const key = openPrivateKey(file.value, passphrase);
  return key.ok ? key.value.kid : key.failure.code;
}

describe("a signing key", () => {
  test("is drawn from the given chance and from nothing else", () => {
    const kid = (seed: number): string => makeSigningKey(makeManualAmbient({ seed }).random).kid;
    expect(kid(3)).toBe(kid(3));
    expect(kid(3)).not.toBe(kid(4));
  });

  test("signs what its raw public key verifies", () => {
    const key = makeSigningKey(random);
    const publicKey = readPublicKey(key.publicKey);
    const message = Buffer.from("an effect");
    const signature = sign(null, message, key.privateKey);
    expect(publicKey && verify(null, message, publicKey, signature)).toBe(true);
  });

  test("has the thumbprint of RFC 8037, appendix A.3", () => {
    expect(thumbprintOf("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")).toBe(
      "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    );
  });

  test("made elsewhere is described the same", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const key = describeSigningKey(privateKey);
    expect(key.publicKey).toBe(publicKey.export({ format: "jwk" }).x);
  });

  test.each([
    ["too short", "AAAA"],
    ["padded", `${"A".repeat(43)}=`],
    ["in another alphabet", `${"A".repeat(42)}+`],
    ["with stray bits", `${"A".repeat(42)}B`],
    ["the point of order 1", Buffer.from("01".padEnd(64, "0"), "hex").toString("base64url")],
    [
      "the same point with a sign",
      Buffer.from(`01${"0".repeat(60)}80`, "hex").toString("base64url"),
    ],
    [
      "a point of order 8",
      Buffer.from(
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "hex",
      ).toString("base64url"),
    ],
  ])("is no public key when it is %s", (_what, text) => {
    expect(readPublicKey(text)).toBeUndefined();
  });
});

describe("a private key file", () => {
  test("opens without a passphrase when it was kept without one", () => {
    expect(opened(fileOf(null), null)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test("opens with its passphrase, and with no other", () => {
    const kid = opened(fileOf(null), null);
    const file = fileOf("correct horse");
    expect(opened(file, "correct horse")).toBe(kid);
    expect(opened(file, "wrong")).toBe("unauthorized");
    expect(opened(file, null)).toBe("unauthorized");
  });

  test("does not hold an encrypted key in the clear", () => {
    const clear = Buffer.from(fileOf(null)).toString();
    const seedLine = /PRIVATE KEY-----\\n([A-Za-z0-9+/=]+)/.exec(clear)?.[1] ?? "missing";
    expect(clear).toContain(seedLine);
    expect(Buffer.from(fileOf("correct horse")).toString()).not.toContain(seedLine);
  });

  test("whose key is not the one it names is refused", () => {
    const text = Buffer.from(fileOf(null)).toString();
    const other = makeSigningKey(random);
    const forged = text.replace(/"kid":"[^"]+"/, `"kid":"${other.kid}"`);
    expect(opened(Buffer.from(forged), null)).toBe("invalid_input");
  });

  test("with another kind of key is refused", () => {
    const { privateKey } = generateKeyPairSync("x25519");
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const text = Buffer.from(fileOf(null)).toString();
    const forged = text.replace(/"pkcs8_pem":"[^"]+"/, `"pkcs8_pem":${JSON.stringify(pem)}`);
    expect(opened(Buffer.from(forged), null)).toBe("invalid_input");
  });

  test("that is damaged is refused without repeating any of it", () => {
    const text = Buffer.from(fileOf(null)).toString().replace('"encrypted"', '"secret-member"');
    const parsed = parsePrivateKeyBytes(Buffer.from(text));
    expect(parsed.ok).toBe(false);
    const digest = createHash("sha256").update(text).digest("hex");
    expect(JSON.stringify(parsed)).not.toMatch(new RegExp(`secret-member|PRIVATE|${digest}`));
  });

  test("larger than any is refused before it is read", () => {
    expect(parsePrivateKeyBytes(new Uint8Array(stateFileBytesMax + 1)).ok).toBe(false);
  });
});
