import type { DecisionMatrixIr, FactIr, FactValue, RowIr } from "./decision-ir.js";

/** The largest product of facts that is looked at whole. */
export const productMax = 262_144;

/** What the rows of a table cover, and which of them never answer. */
export interface Coverage {
  readonly matrix: DecisionMatrixIr;
  /** For each row that answers nothing: the earlier rows that answer in its place. */
  readonly shadowed: ReadonlyMap<RowIr, readonly RowIr[]>;
}

/** How many cases the facts make up. */
export function productOf(facts: readonly FactIr[]): number {
  return facts.reduce((product, fact) => product * Math.max(1, fact.domain.length), 1);
}

/** Runs every case of the product of `facts` through `rows`; the first that fits answers. */
export function coverageOf(facts: readonly FactIr[], rows: readonly RowIr[]): Coverage {
  const product = productOf(facts);
  const tests = rows.map((row) => compileRow(facts, row));
  const counts = rows.map(() => 0);
  const firsts = rows.map((): readonly number[] | undefined => undefined);
  const instead = rows.map(() => new Set<number>());
  const digits = facts.map(() => 0);
  for (let index = 0; index < product; index += 1) {
    const winner = tests.findIndex((test) => fits(test, digits));
    if (winner >= 0) {
      counts[winner] = (counts[winner] ?? 0) + 1;
      firsts[winner] ??= [...digits];
    }
    const firstLater = winner < 0 ? tests.length : winner + 1;
    for (let later = firstLater; later < tests.length; later += 1) {
      const test = tests[later];
      if (counts[later] === 0 && test !== undefined && fits(test, digits)) {
        instead[later]?.add(winner);
      }
    }
    advance(digits, facts);
  }
  const shadowed = new Map<RowIr, readonly RowIr[]>();
  for (const [index, row] of rows.entries()) {
    if (counts[index] !== 0) continue;
    const others = [...(instead[index] ?? [])].toSorted((left, right) => left - right);
    shadowed.set(
      row,
      others.map((other) => rows[other]).filter((other) => other !== undefined),
    );
  }
  const answered = rows.flatMap((row, index) => {
    const first = firsts[index];
    if (first === undefined) return [];
    return [{ row: row.id, count: counts[index] ?? 0, example: exampleOf(facts, first) }];
  });
  return { matrix: { product, rows: answered }, shadowed };
}

// For each fact, the positions in its domain that the row takes; undefined takes all.
type RowTest = readonly (ReadonlySet<number> | undefined)[];

function compileRow(facts: readonly FactIr[], row: RowIr): RowTest {
  return facts.map((fact) => {
    const condition = row.when.find(({ fact: name }) => name === fact.name);
    if (condition === undefined) return undefined;
    return new Set(condition.values.map((value) => fact.domain.indexOf(value)));
  });
}

function fits(test: RowTest, digits: readonly number[]): boolean {
  return test.every((positions, index) => positions?.has(digits[index] ?? 0) ?? true);
}

// Counts up with the last fact fastest.
function advance(digits: number[], facts: readonly FactIr[]): void {
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const next = (digits[index] ?? 0) + 1;
    const size = facts[index]?.domain.length ?? 1;
    digits[index] = next < size ? next : 0;
    if (next < size) return;
  }
}

function exampleOf(
  facts: readonly FactIr[],
  digits: readonly number[],
): Readonly<Record<string, FactValue>> {
  return Object.fromEntries(
    facts.flatMap((fact, index) => {
      const value = fact.domain[digits[index] ?? 0];
      return value === undefined ? [] : [[fact.name, value]];
    }),
  );
}
