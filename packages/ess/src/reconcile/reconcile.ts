import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EmittedFiles } from "../emit/emitter.js";

/** Writes what differs from what is there, each file in one move; answers with their paths. */
export function writeFiles(root: string, files: EmittedFiles): readonly string[] {
  const written: string[] = [];
  for (const [path, text] of files) {
    const target = join(root, path);
    if (currentText(target) === text) continue;
    mkdirSync(dirname(target), { recursive: true });
    const temporary = `${target}.new`;
    writeFileSync(temporary, text);
    renameSync(temporary, target);
    written.push(path);
  }
  return written;
}

function currentText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
