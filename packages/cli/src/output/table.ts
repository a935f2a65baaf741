import { escapeLine } from "./escape.js";

/** How many code points a cell has; escaped text has none that join. */
function widthOf(cell: string): number {
  return Array.from(cell).length;
}

/** Rows under headings, each column as wide as its widest cell, two spaces apart; escaped. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map(escapeLine));
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column] ?? ""))),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === headings.length - 1
            ? cell
            : cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)),
        )
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
