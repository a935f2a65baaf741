import { describe, expect, test } from "vitest";
import { fixtureCertificates } from "../testing/fixture-certificates.js";
import { parseCaBundle, readTrust } from "./trust.js";
import { makeSecretText } from "./secret-text.js";

const one = fixtureCertificates.one.pem;
const two = fixtureCertificates.two.pem;

function digest(pem: string): string {
  const outcome = parseCaBundle(pem);
  return outcome.ok ? outcome.value.sha256 : outcome.failure.code;
}

describe("a CA bundle", () => {
  test("has the digest of its certificates' DER, whatever stands around them", () => {
    expect(digest(one)).toMatch(/^[0-9a-f]{64}$/);
    expect(digest(`# ours\n${one.replaceAll("\n", "\r\n")}\n`)).toBe(digest(one));
    expect(digest(one)).not.toBe(digest(two));
  });

  test("has one digest in any order and with any repetition", () => {
    expect(digest(one + two)).toBe(digest(two + one));
    expect(digest(one + two + one)).toBe(digest(one + two));
    expect(digest(one + two)).not.toBe(digest(one));
  });

  test("knows when the first of its certificates expires", () => {
    const outcome = parseCaBundle(one + two);
    expect(outcome.ok && new Date(outcome.value.caNotAfterMs ?? 0).getUTCFullYear()).toBe(2126);
  });

  test.each([
    ["empty", ""],
    ["without a certificate", fixtureCertificates.one.key],
    ["with a broken certificate", one + two.replace("MII", "AAA")],
  ])("that is %s is refused", (_what, pem) => {
    expect(digest(pem)).toBe("invalid_input");
  });
});

test("without a CA the system's roots are believed, and without verification anybody", async () => {
  expect(await readTrust({ ca: null, insecure: false })).toMatchObject({
    value: { caPem: null, sha256: "system" },
  });
  expect(await readTrust({ ca: null, insecure: true })).toMatchObject({
    value: { caPem: null, sha256: "unverified" },
  });
  const ca = { kind: "inline", pem: makeSecretText(one) } as const;
  expect(await readTrust({ ca, insecure: false })).toMatchObject({
    value: { caPem: one, sha256: digest(one) },
  });
});
