import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, type JsonBounds } from "./json.js";

const bounds: JsonBounds = { bytesMax: 1024, depthMax: 64 };
const utf8 = new TextEncoder();

function parse(text: string, over: Partial<JsonBounds> = {}): unknown {
  return parseBytes(utf8.encode(text), over);
}

function parseBytes(bytes: Uint8Array, over: Partial<JsonBounds> = {}): unknown {
  const parsed = parseJson(bytes, { ...bounds, ...over });
  return parsed.ok ? parsed.value : `${parsed.failure.code}: ${parsed.failure.message}`;
}

describe("accepted", () => {
  test.each([
    ["null", null],
    ["true", true],
    ["false", false],
    [' \t\r\n"a"\n', "a"],
    ["0", 0],
    ["-1", -1],
    ["1.5e3", 1500],
    ["1E-2", 0.01],
    ["0.1", 0.1],
    ["[]", []],
    ["{}", {}],
    ['[1, [2, {"a": [null]}], "b"]', [1, [2, { a: [null] }], "b"]],
    [String.raw`"\"\\\/\b\f\n\r\t\u0041\ud83d\ude02"`, '"\\/\b\f\n\r\tA😂'],
    ['"\u007f\u2028\ufeff"', "\u007f\u2028\ufeff"],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740991.0", 9007199254740991],
  ])("%s", (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  test("minus zero in any spelling becomes zero", () => {
    for (const text of ["-0", "-0.0", "-0e5", "0e-99999"]) expect(parse(text)).toBe(0);
  });

  test("the names of Object.prototype are members like any others", () => {
    const value = parse('{"__proto__": {"a": 1}, "constructor": 2}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect((parse("{}") as Record<string, unknown>)["toString"]).toBeUndefined();
  });
});

describe("refused as invalid_input", () => {
  test.each([
    ["nothing", "", "an unexpected end at line 1, column 1"],
    ["blanks", "  ", "an unexpected end at line 1, column 3"],
    ["two documents", "1 2", "something after the document at line 1, column 3"],
    ["a trailing comma", "[1,]", "something that is no JSON value at line 1, column 4"],
    ["a trailing comma in an object", '{"a":1,}', "no member name at line 1, column 8"],
    ["a missing comma", "[1 2]", "no comma or closing bracket at line 1, column 4"],
    ["a missing brace", '{"a":1', "no comma or closing brace at line 1, column 7"],
    ["a missing colon", '{"a" 1}', "no colon after a member name at line 1, column 6"],
    ["a bare name", "{a:1}", "no member name at line 1, column 2"],
    ["a comment", "/*x*/1", "something that is no JSON value at line 1, column 1"],
    ["single quotes", "'a'", "something that is no JSON value at line 1, column 1"],
    ["NaN", "NaN", "something that is no JSON value at line 1, column 1"],
    ["an unknown word", "nul", "an unknown word at line 1, column 1"],
    ["a leading zero", "01", "something after the document at line 1, column 2"],
    ["a plus sign", "+1", "something that is no JSON value at line 1, column 1"],
    ["a bare point", ".5", "something that is no JSON value at line 1, column 1"],
    ["no digit after the point", "1.", "something after the document at line 1, column 2"],
    ["a lone minus", "-", "something that is no JSON value at line 1, column 1"],
    ["a raw newline in a string", '"a\nb"', "a control character in a string at line 1, column 3"],
    ["an unfinished string", '"a', "an unfinished string at line 1, column 3"],
    ["an unknown escape", String.raw`"\x"`, "an unknown escape at line 1, column 3"],
    ["a short escape", String.raw`"\u12"`, "an unfinished escape at line 1, column 4"],
    ["a no-break space", "\u00a01", "something that is no JSON value at line 1, column 1"],
    ["a duplicate member", '{"a":1,"a":1}', "a duplicate member at line 1, column 8"],
    [
      "a duplicate written in two ways, deep down",
      '[\n{"b":{"a":1,\n "\\u0061":2}}]',
      "a duplicate member at line 3, column 2",
    ],
    [
      "a duplicate __proto__",
      '{"__proto__":1,"__proto__":2}',
      "a duplicate member at line 1, column 16",
    ],
    ["a lone high surrogate", String.raw`"a\ud83d"`, "a lone surrogate at line 1, column 1"],
    ["a lone low surrogate", String.raw`["\udc00"]`, "a lone surrogate at line 1, column 2"],
    [
      "surrogates the wrong way round",
      String.raw`"\ude02\ud83d"`,
      "a lone surrogate at line 1, column 1",
    ],
    ["a number beyond doubles", "1e400", "a number too large to hold exactly at line 1, column 1"],
    ["a number that vanishes", "[1e-400]", "a number too small to hold at line 1, column 2"],
    ["2^53", "9007199254740992", "a number too large to hold exactly at line 1, column 1"],
    ["minus 2^53", "-9007199254740992", "a number too large to hold exactly at line 1, column 1"],
    [
      "2^53 in disguise",
      "9.007199254740993e15",
      "a number too large to hold exactly at line 1, column 1",
    ],
    ["a byte order mark", "\ufeff1", "a byte order mark at line 1, column 1"],
  ])("%s", (_what, text, message) => {
    expect(parse(text)).toBe(`invalid_input: JSON: ${message}`);
  });

  test.each([
    ["a stray continuation byte", [0x22, 0x80, 0x22]],
    ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22]],
    ["an encoded surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a cut scalar", [0x22, 0xf0, 0x9f, 0x98]],
    ["UTF-16", [0xff, 0xfe, 0x31, 0x00]],
  ])("%s", (_what, bytes) => {
    expect(parseBytes(Uint8Array.from(bytes))).toBe("invalid_input: JSON is not valid UTF-8");
  });
});

describe("bounds", () => {
  test("a document at bytesMax is read, and one byte more is capacity before it is decoded", () => {
    const bytes = utf8.encode('"é"');
    expect(parseBytes(bytes, { bytesMax: 4 })).toBe("é");
    expect(parseBytes(bytes, { bytesMax: 3 })).toBe("capacity: JSON is longer than 3 bytes");
  });

  test.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("%s nest as deep as depthMax, and one level more is capacity", (_what, open, close) => {
    const nested = (depth: number): string =>
      open.repeat(depth - 1) + "[]" + close.repeat(depth - 1);
    expect(parse(nested(64))).toBeTypeOf("object");
    expect(parse(nested(65))).toContain("capacity: JSON: more than 64 levels");
    expect(parse(nested(150_000), { bytesMax: 1 << 20 })).toContain("capacity");
  });
});

describe("integers kept as text", () => {
  test("a 64-bit integer keeps its digits as a string, and others stay numbers", () => {
    const text =
      '{"max": 18446744073709551615, "min": -9223372036854775808, "one": 1, "half": 0.5}';
    expect(parse(text, { integers: "text" })).toEqual({
      max: "18446744073709551615",
      min: "-9223372036854775808",
      one: 1,
      half: 0.5,
    });
  });

  test("a number beyond doubles is refused all the same", () => {
    expect(parse("1e400", { integers: "text" })).toContain("invalid_input");
  });
});

test("a failure never repeats what was in the document", () => {
  const failure = parse('{"token": "s3cret", "token": "s3cret"}');
  expect(failure).not.toContain("s3cret");
  expect(failure).not.toContain("token");
});

test("it accepts what JSON.parse writes, with the same value, unless a number loses digits", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const text = JSON.stringify(value);
      const parsed = parseJson(utf8.encode(text), { bytesMax: 1 << 20, depthMax: 64 });
      if (parsed.ok) expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(JSON.parse(text)));
      else expect(parsed.failure.message).toMatch(/too large to hold exactly|lone surrogate/);
    }),
    { numRuns: 2_000 },
  );
});

test("it accepts no text that JSON.parse refuses, however a document is mangled", () => {
  const mangled = fc
    .tuple(
      fc.jsonValue(),
      fc.nat(),
      fc.constantFrom("", ",", '"', "\\", "0", "e", "{", "]", "\u0001"),
    )
    .map(([value, at, piece]) => {
      const text = JSON.stringify(value, null, 1);
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + piece + text.slice(cut + (at % 2));
    });
  fc.assert(
    fc.property(mangled, (text) => {
      const parsed = parseJson(utf8.encode(text), { bytesMax: 1 << 20, depthMax: 64 });
      if (parsed.ok) expect(() => JSON.parse(text) as unknown).not.toThrow();
    }),
    { numRuns: 5_000 },
  );
});
