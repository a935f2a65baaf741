import { describe, expect, test } from "vitest";
import { readInputFields } from "./input-schema.js";
import { parseInput } from "./parse-input.js";

const schema = {
  type: "object",
  additionalProperties: false,
  required: ["namespace", "command"],
  properties: {
    namespace: { $ref: "#/$defs/Label" },
    command: { type: "array", items: { type: "string" }, minItems: 1 },
    timeout_seconds: { type: "integer", minimum: 1, maximum: 60 },
    follow: { type: "boolean" },
    extra: { type: "object" },
  },
  $defs: { Label: { type: "string", maxLength: 63, description: "A label." } },
};
const fields = readInputFields(schema);
const none = { pairs: [], text: null, command: null };
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("input fields", () => {
  test("are read with their kinds, and references are followed", () => {
    expect(fields.map((f) => [f.name, f.kind, f.required])).toEqual([
      ["namespace", "string", true],
      ["command", "strings", true],
      ["timeout_seconds", "integer", false],
      ["follow", "boolean", false],
      ["extra", "json", false],
    ]);
    expect(fields[0]?.bounds).toBe("at most 63 characters");
  });
});

describe("pairs", () => {
  test("are typed by the model", () => {
    const pairs = ["namespace=8", "timeout_seconds=5", "follow=true", 'extra:={"a":1}'];
    expect(parseInput({ ...none, pairs, command: ["id", "-u"] }, fields)).toEqual({
      ok: true,
      value: {
        namespace: "8",
        timeout_seconds: 5,
        follow: true,
        extra: { a: 1 },
        command: ["id", "-u"],
      },
    });
  });

  test("name a list's elements one by one", () => {
    const parsed = parseInput({ ...none, pairs: ["command=a", "command=b=c"] }, fields);
    expect(parsed).toEqual({ ok: true, value: { command: ["a", "b=c"] } });
  });

  test.each([
    ["an unknown field, and what was meant", ["namespce=x"], /namespace\?/],
    ["a field twice", ["namespace=a", "namespace=b"], /twice/],
    ["a word that is no number", ["timeout_seconds=5s"], /whole number/],
    ["a number beyond a double", ["timeout_seconds=9007199254740993"], /whole number/],
    ["a word that is no boolean", ["follow=yes"], /true or false/],
    ["an object without :=", ["extra={}"], /plain value/],
    ["something that is no pair", ["namespace"], /field=value/],
  ])("%s is refused", (_, pairs, message) => {
    const parsed = parseInput({ ...none, pairs }, fields);
    expect(parsed.ok ? "" : parsed.failure.message).toMatch(message);
  });

  test("an escape sequence in a field's name is not repeated raw", () => {
    const parsed = parseInput({ ...none, pairs: ["\u001b[31m=x"] }, fields);
    expect(parsed.ok ? "" : parsed.failure.message).toContain("\\u{1b}");
  });
});

describe("--input", () => {
  test("is a JSON object", () => {
    expect(parseInput({ ...none, text: utf8('{"namespace":"web"}') }, fields).ok).toBe(true);
    expect(parseInput({ ...none, text: utf8("[]") }, fields).ok).toBe(false);
  });

  test("refuses duplicate members and fields beside it", () => {
    expect(parseInput({ ...none, text: utf8('{"a":1,"a":2}') }, fields).ok).toBe(false);
    expect(parseInput({ ...none, text: utf8("{}"), pairs: ["namespace=a"] }, fields).ok).toBe(
      false,
    );
  });
});
