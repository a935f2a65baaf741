/** A table, or nothing without rows. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return [];
  return [rowLine(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(rowLine), ""];
}

/** Text as code; a value that holds a backtick gets a longer fence. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** The fragment that a heading gets. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The path that leads from the folder `from` to the file `to`; both are seen from one root. */
export function relativePath(from: string, to: string): string {
  const folders = from.split("/");
  const steps = to.split("/");
  let common = 0;
  while (common < steps.length - 1 && folders[common] === steps[common]) common += 1;
  return [...folders.slice(common).map(() => ".."), ...steps.slice(common)].join("/");
}

function rowLine(cells: readonly string[]): string {
  return `| ${cells.map(cellText).join(" | ")} |`;
}

function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
