import { readSqlFault } from "../driver/sql-fault.js";

/** Throws with `what` when a promise was broken. */
export function expectThat(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`broken promise: ${what}`);
}

/** Throws unless both have the same JSON. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  expectThat(seen === wanted, `${what}: ${seen} is not ${wanted}`);
}

/** Throws unless `run` fails with a fault of this kind. */
export function expectFault(run: () => unknown, kind: string, what: string): void {
  let seen = "no fault";
  try {
    run();
  } catch (error) {
    const fault = readSqlFault(error);
    if (fault === undefined) throw error;
    seen = fault.kind;
  }
  expectSame(seen, kind, what);
}
