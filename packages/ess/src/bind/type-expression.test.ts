import { expect, test } from "vitest";
import { parseTypeExpression } from "./type-expression.js";

test("a type is a name with parameters, wherever its spaces are", () => {
  expect(parseTypeExpression(" Map< a.Key , List<B> > ")).toEqual({
    ok: true,
    value: {
      name: "Map",
      offset: 1,
      arguments: [
        { name: "a.Key", offset: 6, arguments: [] },
        { name: "List", offset: 14, arguments: [{ name: "B", offset: 19, arguments: [] }] },
      ],
    },
  });
});

test.each([
  ["", 0],
  ["<A>", 0],
  ["List<", 5],
  ["List<A", 6],
  ["List<A>>", 7],
  ["A B", 2],
  ["List<A,>", 7],
])("%j stops being a type at %i", (text, at) => {
  expect(parseTypeExpression(text)).toEqual({ ok: false, at });
});
