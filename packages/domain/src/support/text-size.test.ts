import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoints, isWellFormed, utf8Bytes } from "./text-size.js";

const units = fc.string({ unit: "binary" });
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 });

describe("sizes of text", () => {
  test("count the bytes that an encoder makes", () => {
    fc.assert(
      fc.property(units, (text) => {
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  test("count the bytes of broken text as an encoder repairs it", () => {
    fc.assert(
      fc.property(anyUnits, (codes) => {
        const text = String.fromCharCode(...codes);
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  test("count code points as iteration does", () => {
    fc.assert(
      fc.property(anyUnits, (codes) => {
        const text = String.fromCharCode(...codes);
        expect(codePoints(text)).toBe(Array.from(text).length);
      }),
    );
  });

  test("know broken text from whole text", () => {
    expect(["", "a", "😀", "\ud83d\ude00"].map(isWellFormed)).toEqual([true, true, true, true]);
    expect(["\ud83d", "\ude00", "\ude00\ud83d", "a\ud800b"].map(isWellFormed)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
