import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files below `folders` as they are now, by path relative to the root. */
export function readOutputs(root: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of entriesOf(join(root, folder))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else files.set(path, entry.isFile() ? readFileSync(join(root, path), "utf8") : "");
    }
  };
  for (const folder of folders) walk(folder);
  return files;
}

/** Writes `files`, each in one move so that no reader sees half of one. */
export function writeOutputs(root: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    const temporary = `${target}.new`;
    writeFileSync(temporary, text);
    renameSync(temporary, target);
  }
}

/** Removes files that are generated no more. */
export function removeOutputs(root: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(root, path));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
