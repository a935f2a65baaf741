import type { BoundsIr, Primitive, RangeIr } from "../../ir/type-ir.js";
import type { JsonData } from "../../shape/json-node.js";
import { samplePattern } from "./sample-pattern.js";

// A longer text tells nothing that this one does not, and would swell the generated file.
const lengthMax = 2 ** 21;
const wideMax = 2 ** 13;

/** Values near the edges of a built-in type within bounds; some fit, some break one rule. */
export function scalarCandidates(type: Primitive, bounds: BoundsIr): readonly JsonData[] {
  switch (type) {
    case "Boolean":
      return [true, false, "true", 0, null];
    case "Integer":
    case "Timestamp":
    case "Duration":
      return [...integerCandidates(bounds), "1", true, null, 1.5];
    case "Int64":
      return [
        ...integerCandidates(bounds).map(String),
        ...int64Edges,
        "01",
        "-0",
        "+1",
        "",
        1,
        null,
      ];
    case "Uuid":
      return [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `${uuid}0`, "", 7, null];
    case "Bytes":
      return [...bytesCandidates(bounds.bytes), "AB", "A", "AA==", "A+AA", 7, null];
    case "Json":
      return [null, true, 0, "text", [], { member: [1] }];
    case "String":
      return [...textCandidates(bounds), 7, null, ["a"]];
  }
}

const uuid = "0c0ffee0-0000-4000-8000-000000000001";

const int64Edges = [
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775808",
  "-9223372036854775809",
];

function integerCandidates({ min, max }: BoundsIr): readonly number[] {
  const edges = [min, max].flatMap((bound) => {
    const value = Number(bound?.value);
    return Number.isSafeInteger(value) ? [value, value - 1, value + 1] : [];
  });
  return [...edges, 0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1];
}

function bytesCandidates(range: RangeIr | undefined): readonly string[] {
  return sizesOf(range).map((size) => Buffer.alloc(size, 0x61).toString("base64url"));
}

function textCandidates(bounds: BoundsIr): readonly string[] {
  const sizes = [...new Set([...sizesOf(bounds.length), ...sizesOf(bounds.bytes)])];
  const made = bounds.pattern === undefined ? [] : samplePattern(bounds.pattern, sizes);
  const letters = bounds.alphabet === undefined ? ["a"] : [Array.from(bounds.alphabet)[0] ?? "a"];
  const plain = sizes.flatMap((size) => letters.map((letter) => letter.repeat(size)));
  // Two bytes a letter, and three where a pair of surrogates counts as one character.
  const wide = sizes
    .filter((size) => size <= wideMax)
    .flatMap((size) => [
      "é".repeat(Math.floor(size / 2)),
      "é".repeat(Math.floor(size / 2) + 1),
      "é".repeat(size),
      "😀".repeat(size),
    ]);
  const spoiled = made.flatMap((text) => [`${text}\n`, `${text}!`, ` ${text}`, text.toUpperCase()]);
  return [...made, "a", "text", ...plain, ...wide, ...spoiled, "", "A b\u0000"];
}

function sizesOf(range: RangeIr | undefined): readonly number[] {
  if (range === undefined) return [];
  return [range.min, range.max]
    .flatMap((bound) => {
      const value = Number(bound?.value);
      return Number.isSafeInteger(value) ? [value, value - 1, value + 1] : [];
    })
    .filter((size) => size >= 0 && size <= lengthMax);
}
