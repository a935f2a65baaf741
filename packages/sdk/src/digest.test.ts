import { expect, test } from "vitest";
import { sha256Hex } from "./digest.js";

test("the digest of nothing and of abc are those of FIPS 180-4", () => {
  expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("text is digested as its UTF-8 bytes", () => {
  expect(sha256Hex("é")).toBe(sha256Hex(Uint8Array.of(0xc3, 0xa9)));
});

test("a view digests its own bytes, not the whole buffer", () => {
  const whole = new TextEncoder().encode("xabcx");
  expect(sha256Hex(whole.subarray(1, 4))).toBe(sha256Hex("abc"));
});
