import { describe, expect, test } from "vitest";
import { joinBytes, plainBytes } from "./plain-bytes.js";

describe("bytes that are handed out", () => {
  test("are views that copy when they are sliced, as the type says", () => {
    const buffer = Buffer.from("abc");
    const bytes = plainBytes(buffer);
    expect(Buffer.isBuffer(bytes)).toBe(false);
    expect(bytes.buffer).toBe(buffer.buffer);
    bytes.slice()[0] = 0;
    expect(bytes[0]).toBe(0x61);
  });

  test("are joined in memory of their own, and cut where asked", () => {
    const chunks = ["ab", "cd", "ef"].map((text) => Buffer.from(text));
    for (const [bytes, text] of [
      [6, "abcdef"],
      [5, "abcde"],
      [4, "abcd"],
      [1, "a"],
      [0, ""],
    ] as const) {
      const joined = joinBytes(chunks, bytes);
      expect(Buffer.from(joined).toString()).toBe(text);
      expect(joined.buffer.byteLength).toBe(bytes);
    }
  });
});
