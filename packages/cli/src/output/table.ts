import { escapeLine } from "./escape.js";

/** Rows under headings, each column as wide as its widest cell, two spaces apart; escaped. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map(escapeLine));
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? "")].length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === headings.length - 1
            ? cell
            : cell + " ".repeat((widths[column] ?? 0) - [...cell].length),
        )
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
