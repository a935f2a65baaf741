/** The middle of some figures, and how far they spread. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** The median of `values`, with their smallest and largest. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  const lower = sorted[middle - 1] ?? upper;
  return {
    median: sorted.length % 2 === 1 ? upper : (upper + lower) / 2,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
    count: sorted.length,
  };
}

/** One line of the report: a ratio, what it is held against, and what it was made of. */
export interface Line {
  readonly name: string;
  readonly ratio: number;
  readonly bound: number;
  /** Whether the ratio must be at most, or at least, the bound. */
  readonly sense: "at most" | "at least";
  /** Items, rounds, and the figures behind the ratio. */
  readonly detail: string;
}

/** A spread as text, in its own unit. */
export function describeSpread(spread: Spread, unit: string): string {
  const figure = (value: number): string => value.toPrecision(3);
  return `${figure(spread.median)} ${unit} (${figure(spread.min)}–${figure(spread.max)}, ${spread.count} windows)`;
}

/** True when a line keeps its bound. */
export function keeps(line: Line): boolean {
  return line.sense === "at most" ? line.ratio <= line.bound : line.ratio >= line.bound;
}

/** A line as it is printed. */
export function formatLine(line: Line): string {
  const verdict = keeps(line) ? "ok  " : "OVER";
  return `${verdict} ${line.ratio.toFixed(2)} (${line.sense} ${line.bound}) ${line.name}\n     ${line.detail}\n`;
}
