import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout. */
export const root: string = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** One hand-written or generated source file. */
export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  /** The package's folder name, or the first folder for anything outside packages. */
  readonly home: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly generated: boolean;
  readonly test: boolean;
}

const skipped = new Set(["node_modules", "dist", "bundle", ".turbo", "data", "etc"]);

function walk(folder: string, found: string[]): void {
  for (const name of readdirSync(folder)) {
    if (skipped.has(name)) continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) walk(path, found);
    else if (path.endsWith(".ts")) found.push(path);
  }
}

/** Every TypeScript file of the named folders. */
export function readSources(folders: readonly string[]): readonly SourceFile[] {
  const found: string[] = [];
  for (const folder of folders) walk(join(root, folder), found);
  return found.toSorted().map((file) => {
    const path = relative(root, file).split(sep).join("/");
    const parts = path.split("/");
    const text = readFileSync(file, "utf8");
    return {
      path,
      home: (parts[0] === "packages" ? parts[1] : parts[0]) ?? "",
      text,
      lines: text.split("\n"),
      generated: path.includes("/src/gen/"),
      test: path.endsWith(".test.ts"),
    };
  });
}

/** The module names that a file imports, its own relative ones included. */
export function importsOf(file: SourceFile): readonly string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)|\n\s*import\s+"([^"]+)"/g;
  return [...`\n${file.text}`.matchAll(pattern)].map((m) => m[1] ?? m[2] ?? m[3] ?? "");
}
