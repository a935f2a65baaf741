import canonicalize from "canonicalize";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "./adapter.js";
import { encodeCanonical } from "./canonical.js";
import { parseJson } from "./json.js";

const bounds = { bytesMax: 1 << 20, depthMax: 64 };

function fromHex(hex: string): number {
  return new DataView(Uint8Array.from(Buffer.from(hex, "hex")).buffer).getFloat64(0);
}

// RFC 8785, appendix B.
const numbers: readonly (readonly [hex: string, text: string])[] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

// The files of the RFC's own test data: input, canonical output.
const documents: Readonly<Record<string, readonly [input: string, output: string]>> = {
  arrays: [
    String.raw`[56, {"d": true, "10": null, "1": []}]`,
    String.raw`[56,{"1":[],"10":null,"d":true}]`,
  ],
  french: [
    `{"peach": "This sorting order", "péché": "is wrong according to French",
      "pêche": "but canonicalization MUST", "sin": "ignore locale"}`,
    `{"peach":"This sorting order","péché":"is wrong according to French",` +
      `"pêche":"but canonicalization MUST","sin":"ignore locale"}`,
  ],
  structures: [
    String.raw`{"1": {"f": {"f": "hi","F": 5}, "\n": 56.0}, "10": {}, "": "empty", "a": {},
      "111": [{"e": "yes","E": "no"}], "A": {}}`,
    String.raw`{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},` +
      `"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}`,
  ],
  unicode: [String.raw`{"Unnormalized Unicode":"A\u030a"}`, `{"Unnormalized Unicode":"A\u030a"}`],
  values: [
    String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
      String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  ],
  weird: [
    String.raw`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\u000a": "Newline", "1": "One",
      "\u0080": "Control\u007f", "\ud83d\ude02": "Smiley",
      "\u00f6": "Latin Small Letter O With Diaeresis",
      "\ufb33": "Hebrew Letter Dalet With Dagesh", "</script>": "Browser Challenge"}`,
    String.raw`{"\n":"Newline","\r":"Carriage Return","1":"One","</script>":"Browser Challenge",` +
      `"\u0080":"Control\u007f","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign",` +
      `"😂":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}`,
  ],
};

describe("RFC 8785", () => {
  test.each(numbers)("the double %s is written %s", (hex, text) => {
    expect(encodeCanonical(fromHex(hex))).toBe(text);
  });

  test.each(["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])(
    "the double %s has no canonical form and throws",
    (hex) => {
      expect(() => encodeCanonical(fromHex(hex))).toThrow(TypeError);
    },
  );

  test.each(Object.entries(documents))("document %s", (_name, [input, output]) => {
    expect(encodeCanonical(JSON.parse(input) as Json)).toBe(output);
  });
});

test("a lone surrogate throws as a value and as a member name", () => {
  expect(() => encodeCanonical("\ud800")).toThrow(TypeError);
  expect(() => encodeCanonical({ "\udc00": 1 })).toThrow(TypeError);
});

test("it agrees with the canonicalize package on every JSON value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      expect(encodeCanonical(value as Json)).toBe(canonicalize(value));
    }),
    { numRuns: 2_000 },
  );
});

test("what the strict parser yields is written in one form, which it reads back", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const parsed = parseJson(Buffer.from(JSON.stringify(value)), bounds);
      // Integers beyond 2^53 are refused; everything else must survive the round trip.
      if (!parsed.ok) return;
      const text = encodeCanonical(parsed.value);
      const again = parseJson(Buffer.from(text), bounds);
      expect(again.ok && encodeCanonical(again.value)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});
