import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FactIr, RowIr } from "./decision-ir.js";
import { coverageOf, productOf } from "./decision-matrix.js";

const facts: readonly FactIr[] = [
  fact("a", ["x", "y", "z"]),
  fact("b", [true, false]),
  fact("c", ["p", "q"]),
];

const anyRows = fc.array(
  fc.record({
    a: fc.option(fc.subarray(["x", "y", "z"], { minLength: 1 })),
    b: fc.option(fc.subarray([true, false], { minLength: 1 })),
    c: fc.option(fc.subarray(["p", "q"], { minLength: 1 })),
  }),
  { maxLength: 8 },
);

describe("what rows cover", () => {
  test("is what trying every case by hand gives", () => {
    fc.assert(
      fc.property(anyRows, (conditions) => {
        const rows = [
          ...conditions.map((condition, at) => row(`r${at}`, condition)),
          row("rest", {}),
        ];
        const { matrix, shadowed } = coverageOf(facts, rows);
        const counts = new Map<string, number>();
        for (const a of ["x", "y", "z"]) {
          for (const b of [true, false]) {
            for (const c of ["p", "q"]) {
              const winner = rows.find((candidate) => takes(candidate, { a, b, c }))?.id ?? "";
              counts.set(winner, (counts.get(winner) ?? 0) + 1);
            }
          }
        }
        expect(new Map(matrix.rows.map(({ row: id, count }) => [id, count]))).toEqual(
          new Map([...counts].toSorted(byPosition(rows))),
        );
        expect([...shadowed.keys()].map(({ id }) => id)).toEqual(
          rows.map(({ id }) => id).filter((id) => !counts.has(id)),
        );
        for (const { row: id, example } of matrix.rows) {
          expect(rows.find((candidate) => takes(candidate, example))?.id).toBe(id);
        }
      }),
    );
  });

  test("names the rows that answer in a shadowed row's place", () => {
    const rows = [
      row("one", { a: ["x"] }),
      row("two", { a: ["y"] }),
      row("lost", { a: ["y", "x"] }),
    ];
    const { shadowed } = coverageOf(facts, rows);
    const [[lost, winners = []] = []] = shadowed;
    expect(lost?.id).toBe("lost");
    expect(winners.map(({ id }) => id)).toEqual(["one", "two"]);
  });

  test("is counted over the whole product", () => {
    expect(productOf(facts)).toBe(12);
    expect(productOf([])).toBe(1);
  });
});

function fact(name: string, domain: FactIr["domain"]): FactIr {
  return { name, doc: "", domain, type: undefined, classes: undefined };
}

function row(
  id: string,
  condition: Readonly<Record<string, readonly (string | boolean)[] | null>>,
): RowIr {
  const when = Object.entries(condition).flatMap(([name, values]) =>
    values === null ? [] : [{ fact: name, values }],
  );
  return { id, when, kind: "k", answers: [], evidence: undefined, doc: "" };
}

function takes({ when }: RowIr, values: Readonly<Record<string, string | boolean>>): boolean {
  return when.every((condition) => condition.values.includes(values[condition.fact] ?? ""));
}

function byPosition(rows: readonly RowIr[]) {
  const position = (id: string) => rows.findIndex((candidate) => candidate.id === id);
  return ([left]: readonly [string, number], [right]: readonly [string, number]) =>
    position(left) - position(right);
}
