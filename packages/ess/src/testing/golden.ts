import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A path below this package's `fixtures`. */
export function fixturePath(...parts: readonly string[]): string {
  return join(fileURLToPath(new URL("../../fixtures", import.meta.url)), ...parts);
}

/**
 * The golden text at `path`, to compare with. With `UPDATE_GOLDEN=1` it is first replaced by
 * `actual`, so that a changed generator is reviewed as a diff.
 */
export function goldenText(path: string, actual: string): string {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  return existsSync(path) ? readFileSync(path, "utf8") : "(there is no golden file)";
}
