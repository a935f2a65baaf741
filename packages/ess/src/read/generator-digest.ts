import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256Of } from "../ir/sha256.js";

/**
 * The digest of this package's source without its tests. The package ships its source beside
 * what is built from it, so the digest is one whichever of the two runs.
 */
export function readGeneratorDigest(): string {
  const source = fileURLToPath(new URL("../../src", import.meta.url));
  const names = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => !name.startsWith("testing/"))
    .toSorted();
  const lines = names.map((name) => `${sha256Of(readFileSync(join(source, name)))}  ${name}\n`);
  return sha256Of(lines.join(""));
}
