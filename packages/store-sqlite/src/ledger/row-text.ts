import type { Parsed } from "@connectors/domain";

/**
 * A row that cannot be true: it does not fit its model, or its columns and its body disagree.
 *
 * Thrown through the load of one request, which is then answered with a failure: a broken row is
 * never taken for an absent one.
 */
export class BrokenRow extends Error {
  override readonly name: string = "BrokenRow";
}

/** A row's body as its model understands it; throws `BrokenRow` for anything else. */
export function decodeBody<T>(body: unknown, parse: (value: unknown) => Parsed<T>): T {
  if (typeof body !== "string") throw new BrokenRow("a body is text");
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new BrokenRow("a body is JSON");
  }
  const parsed = parse(value);
  if (!parsed.ok) throw new BrokenRow(`a body fits its model (${parsed.issues[0]?.rule ?? "?"})`);
  return parsed.value;
}

/** Throws `BrokenRow` unless a row's column says what its body says. */
export function expectColumn(column: unknown, value: string | number, name: string): void {
  if (column !== value) throw new BrokenRow(`${name} in column and body agree`);
}

/** A column that holds a whole number from zero; throws `BrokenRow` for anything else. */
export function readCount(column: unknown, name: string): number {
  if (typeof column !== "number" || !Number.isSafeInteger(column) || column < 0) {
    throw new BrokenRow(`${name} is a count`);
  }
  return column;
}
