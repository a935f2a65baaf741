import { describe, expect, test } from "vitest";
import { caBytesMax } from "@connectors/domain";
import { parseBaseUrl } from "./base-url.js";
import { testCertificates } from "./testing/certificates.js";
import { given, summary } from "./testing/test-scope.js";
import { makeTlsPlan, parseTrust } from "./trust.js";

const { ca, otherCa, client, server } = await testCertificates();
const base = given(parseBaseUrl("https://cluster.test/", { allowPlaintext: false }));
const text = ca.toString();

describe("a scope's trust", () => {
  test("holds every certificate of its bundle, whatever stands between them", () => {
    const bundle = Buffer.from(`# one\n${text}\nsubject: two\n${otherCa.toString()}\n`);
    expect(given(parseTrust(base, { ca: bundle })).roots).toHaveLength(2);
  });

  test("is the built-in roots only where no bundle is given", () => {
    expect(given(parseTrust(base, {})).roots).toBeUndefined();
  });

  test.each([
    ["empty", ""],
    ["no PEM", "hello"],
    ["a key", server.key.toString()],
    ["a certificate cut short", text.slice(0, text.length / 2)],
    ["a sound one and one cut short", `${text}\n${text.slice(0, text.length / 2)}`],
    ["a block of nonsense", text.replace(/MII[A-Za-z]/, "QUJD")],
    ["an empty block", "-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----"],
  ])("is refused when its bundle is %s", (_what, bundle) => {
    expect(summary(parseTrust(base, { ca: Buffer.from(bundle) }))).toBe("invalid_input");
  });

  test("takes a bundle at its bound, and not one byte more", () => {
    const bundle = text.padEnd(caBytesMax, "\n");
    expect(given(parseTrust(base, { ca: Buffer.from(bundle) })).roots).toHaveLength(1);
    expect(summary(parseTrust(base, { ca: Buffer.from(`${bundle}\n`) }))).toBe("capacity");
  });

  test("is either verified or not, and never both", () => {
    const both = { ca, insecureSkipVerify: true };
    expect(summary(parseTrust(base, both))).toBe("invalid_input");
    expect(given(parseTrust(base, { insecureSkipVerify: true })).verify).toBe(false);
    expect(given(parseTrust(base, { insecureSkipVerify: false, ca })).verify).toBe(true);
  });

  test("expects the base URL's host unless it is told another name", () => {
    expect(given(parseTrust(base, { ca })).name).toBe("cluster.test");
    expect(given(parseTrust(base, { ca, serverName: "other.test" })).name).toBe("other.test");
    expect(given(parseTrust(base, { ca, serverName: "10.0.0.1" })).name).toBe("10.0.0.1");
    for (const serverName of ["", "a b", "a/b", "a".repeat(254)]) {
      expect(summary(parseTrust(base, { ca, serverName }))).toBe("invalid_input");
    }
  });

  test("captures certificate and key as one pair", () => {
    const trust = given(parseTrust(base, { ca, certificate: client }));
    expect(trust.certificate?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(makeTlsPlan(trust, trust.certificate)).toMatchObject({ verify: true });
    const mixed = { cert: client.cert, key: server.key };
    expect(summary(parseTrust(base, { ca, certificate: mixed }))).toBe("invalid_input");
  });
});
