import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isTruncated,
  joinKeptBytes,
  keepNothing,
  stepKeptBytes,
  type KeptBytes,
} from "./kept-bytes.js";
import { describeOutput, incompleteTail } from "./output-text.js";

function keep(bytesMax: number, ...pieces: (string | readonly number[])[]): KeptBytes {
  const bytes = pieces.map((piece) =>
    typeof piece === "string" ? Buffer.from(piece) : Uint8Array.from(piece),
  );
  return bytes.reduce(stepKeptBytes, keepNothing(bytesMax));
}

describe("kept bytes", () => {
  test("are the first of all, in order, across pieces", () => {
    const kept = keep(5, "ab", "", "cd", "efg", "h");
    expect(Buffer.from(joinKeptBytes(kept)).toString()).toBe("abcde");
    expect(kept.seenBytes).toBe(8);
    expect(isTruncated(kept)).toBe(true);
  });

  test("exactly at the bound are not truncated, and one more byte is", () => {
    expect(isTruncated(keep(4, "ab", "cd"))).toBe(false);
    expect(isTruncated(keep(4, "ab", "cd", "e"))).toBe(true);
    expect(isTruncated(keep(0))).toBe(false);
  });

  test("of a million pieces are joined without a copy per piece", () => {
    let kept = keepNothing(1 << 20);
    const piece = Uint8Array.of(97);
    for (let n = 0; n < 1 << 20; n += 1) kept = stepKeptBytes(kept, piece);
    expect(joinKeptBytes(kept).byteLength).toBe(1 << 20);
  });
});

describe("output as text", () => {
  test("keeps a leading byte order mark", () => {
    expect(describeOutput(keep(9, "\ufeffa"))).toBe("\ufeffa");
  });

  test("has a scalar that was split between pieces whole", () => {
    expect(describeOutput(keep(9, [0xf0, 0x9f], [0x98, 0x82]))).toBe("😂");
  });

  test.each([
    ["é", 1, ""],
    ["aé", 2, "a"],
    ["€", 2, ""],
    ["😂", 3, ""],
    ["a😂", 2, "a"],
  ])("withholds the scalar of %s that a cut at %i splits", (text, bytesMax, shown) => {
    expect(describeOutput(keep(bytesMax, text))).toBe(shown);
  });

  test("shows an incomplete scalar at the true end as U+FFFD", () => {
    expect(describeOutput(keep(9, "a", [0xe2, 0x82]))).toBe("a\ufffd");
  });

  test("withholds the split scalar even where an earlier byte is invalid", () => {
    expect(describeOutput(keep(4, [0xff, 0x61, 0xe2, 0x82, 0xac]))).toBe("\ufffda");
  });

  test("shows what no scalar can begin with as U+FFFD, even at a cut", () => {
    // Stray continuations, an overlong form, a surrogate, a scalar beyond U+10FFFF.
    for (const bytes of [[0x80], [0xc0], [0xe0, 0x80], [0xed, 0xa0], [0xf4, 0x90], [0xff]]) {
      const kept = keep(bytes.length, bytes, "x");
      expect(describeOutput(kept)).toMatch(/^\ufffd+$/);
    }
  });

  test("at any cut is a prefix of the whole, without a replacement that was not there", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), fc.nat(80), (text, at) => {
        const bytes = Buffer.from(text);
        const shown = describeOutput(keep(Math.min(at, bytes.length), [...bytes]));
        expect(text.startsWith(shown)).toBe(true);
        expect(Buffer.byteLength(text) - Buffer.byteLength(shown)).toBeLessThan(
          bytes.length - Math.min(at, bytes.length) + 4,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test("never withholds more than three bytes, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const tail = incompleteTail(bytes);
        expect(tail).toBeLessThanOrEqual(Math.min(3, bytes.length));
        // What is withheld could have become a scalar: some continuation makes it valid UTF-8.
        const withheld = bytes.subarray(bytes.length - tail);
        const ends = [
          [0x80],
          [0xa0],
          [0xa0, 0x80],
          [0x80, 0x80],
          [0x90, 0x80, 0x80],
          [0x80, 0x80, 0x80],
        ];
        const strict = new TextDecoder("utf-8", { fatal: true });
        const completes = ends.some((end) => {
          try {
            return strict.decode(Uint8Array.from([...withheld, ...end])).length > 0;
          } catch {
            return false;
          }
        });
        expect(tail === 0 || completes).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
