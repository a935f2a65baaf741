import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { credentialBytesMax } from "@connectors/domain";
import type { CertificatePair } from "./client-certificate.js";
import {
  isSameCredential,
  makeCredentialLines,
  openCredential,
  type CredentialLine,
  type CredentialLines,
} from "./credential.js";
import { testCertificates } from "./testing/certificates.js";
import { given, summary } from "./testing/test-scope.js";

const secret = "planted-token-77aa";
const certificates = await testCertificates();

function lines(...values: CredentialLine[]): ReturnType<typeof openCredential>["lines"] {
  return openCredential(given(makeCredentialLines(values))).lines;
}

function make(value: string, pair: CertificatePair | null = certificates.client): CredentialLines {
  const line = ["Authorization", value] as const;
  return given(pair === null ? makeCredentialLines([line]) : makeCredentialLines([line], pair));
}

describe("a credential", () => {
  test("keeps its lines in order, repeated names included", () => {
    const given3: CredentialLine[] = [
      ["Authorization", "Bearer a"],
      ["Impersonate-User", "ada"],
      ["Impersonate-Group", "one"],
      ["Impersonate-Group", "two"],
      ["Impersonate-Extra-scopes", "view"],
    ];
    expect(lines(...given3)).toEqual(given3.flat());
  });

  test("sends text as UTF-8 and bytes as they are", () => {
    expect(lines(["Impersonate-User", "zoë"])[1]).toBe(Buffer.from("zoë").toString("latin1"));
    expect(lines(["X-Raw", Uint8Array.of(0x41, 0xff)])[1]).toBe("A\u00ff");
  });

  test("shows nothing of itself, however it is printed", () => {
    const credential = given(
      makeCredentialLines([["Authorization", `Bearer ${secret}`]], certificates.client),
    );
    const wrapped = { credential, list: [credential], map: new Map([["k", credential]]) };
    const shown = [
      credential.toString(),
      JSON.stringify(wrapped),
      inspect(wrapped, { depth: null, showHidden: true }),
      inspect(credential, { customInspect: false, depth: null, showHidden: true }),
      JSON.stringify(Object.entries(credential)),
      Object.getOwnPropertyNames(credential).join(),
      inspect(openCredential(credential).certificate, { showHidden: true, depth: null }),
    ].join("\n");
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain("Authorization");
    expect(shown).not.toContain("PRIVATE");
    expect(shown).not.toContain(certificates.client.key.toString().slice(40, 80));
    expect(shown).toContain("[credential]");
  });

  test.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "CONNECTION",
    "Proxy-Connection",
    "keep-alive",
    "TE",
    "trailer",
    "Upgrade",
    "Expect",
    "Proxy-Authorization",
    "Accept",
    "Content-Type",
    "User-Agent",
    "Audit-ID",
    "Sec-WebSocket-Key",
    "",
    "a b",
    "a:b",
    "a\r\nb",
    "ü",
  ])("may not have a header named %j", (name) => {
    expect(summary(makeCredentialLines([[name, "v"]]))).toBe("invalid_input");
  });

  test.each([
    ["empty", ""],
    ["a line end", "a\r\nX: b"],
    ["a NUL", "a\0b"],
    ["a tab", "a\tb"],
    ["a DEL", "a\x7fb"],
    ["a blank before", " a"],
    ["a line end after", "a\n"],
  ])("may not have a value with %s", (_what, value) => {
    expect(summary(makeCredentialLines([["X-A", value]]))).toBe("invalid_input");
  });

  test("has at most its bound of bytes", () => {
    const value = "v".repeat(credentialBytesMax - 1);
    expect(given(makeCredentialLines([["n", value]])).anonymous).toBe(false);
    expect(summary(makeCredentialLines([["n", `${value}v`]]))).toBe("capacity");
  });

  test("is anonymous without lines, with a certificate too", () => {
    expect(given(makeCredentialLines([])).anonymous).toBe(true);
    expect(given(makeCredentialLines([], certificates.client)).anonymous).toBe(true);
  });

  test("takes no certificate whose key is another's", () => {
    const mixed = { cert: certificates.client.cert, key: certificates.server.key };
    expect(summary(makeCredentialLines([], mixed))).toBe("invalid_input");
    const broken = { cert: Buffer.from("no"), key: Buffer.from("no") };
    expect(summary(makeCredentialLines([], broken))).toBe("invalid_input");
  });

  test("is the same as another exactly when all its bytes are", () => {
    const one = make("a");
    expect(isSameCredential(one, make("a"))).toBe(true);
    expect(isSameCredential(one, make("b"))).toBe(false);
    expect(isSameCredential(one, make("aa"))).toBe(false);
    expect(isSameCredential(one, make("a", certificates.otherClient))).toBe(false);
    expect(isSameCredential(one, make("a", null))).toBe(false);
  });

  test("cannot be a look-alike", () => {
    expect(() => openCredential({ anonymous: true })).toThrow("invariant broken");
  });
});
