import { readFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";

/** The headings of each page, without marks and numbers; undefined where there is no page. */
export function readHeadings(
  root: string,
  pages: Iterable<string>,
): ReadonlyMap<string, readonly string[] | undefined> {
  return new Map([...new Set(pages)].map((page) => [page, headingsOf(root, page)]));
}

function headingsOf(root: string, page: string): readonly string[] | undefined {
  const path = normalize(page);
  if (isAbsolute(path) || path.startsWith("..")) return undefined;
  let text: string;
  try {
    text = readFileSync(join(root, path), "utf8");
  } catch {
    // Whatever the reason, the page cannot own anything: the check names it.
    return undefined;
  }
  return text
    .split("\n")
    .map((line) => /^#{1,6}\s+(?:\d+(?:\.\d+)*\.?\s+)?(.*?)\s*#*$/.exec(line)?.[1])
    .filter((heading) => heading !== undefined);
}
