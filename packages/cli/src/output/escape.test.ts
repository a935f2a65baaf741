import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeJson, escapeLine, escapeText } from "./escape.js";

test("an escape sequence is shown, not obeyed", () => {
  expect(escapeLine("\u001b[2Jgone")).toBe("\\u{1b}[2Jgone");
});

test("bidirectional overrides and zero-width characters are shown", () => {
  expect(escapeLine("a\u202eb\u200bc\ufeffd\u2066e")).toBe(
    "a\\u{202e}b\\u{200b}c\\u{feff}d\\u{2066}e",
  );
});

test("C1 controls, lone surrogates and tag characters are shown", () => {
  expect(escapeLine("\u009b\ud800\u{e0041}")).toBe("\\u{9b}\\u{d800}\\u{e0041}");
});

test("ordinary letters of any script stay as they are", () => {
  expect(escapeLine("é 日本 ٣ 🙂")).toBe("é 日本 ٣ 🙂");
});

test("lines and tabs of a text stay, carriage returns do not", () => {
  expect(escapeText("a\tb\r\nc")).toBe("a\tb\\u{d}\nc");
});

test("nothing that a terminal acts on survives", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeLine(text)).not.toMatch(/[\p{Cc}\u200b-\u200f\u202a-\u202e]/u);
    }),
  );
});

test("JSON for a terminal is the same JSON, and nothing of it is acted on", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.string({ unit: "binary" }), (a, b) => {
      const value: unknown = [a, b, { [b]: a }];
      const shown = escapeJson(JSON.stringify(value));
      expect(shown).not.toMatch(/[\p{Cc}\u200b-\u200f\u202a-\u202e\ufeff]/u);
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
