import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { compareText } from "../diagnostics/diagnostic.js";
import { sha256Of } from "../ir/sha256.js";

/** A model file as read. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Every YAML file below `ess/` of `root`, by path; symbolic links are not followed. */
export function readSources(root: string): readonly SourceFile[] {
  const paths: string[] = [];
  const walk = (directory: string): void => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = `${directory}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && /\.ya?ml$/.test(entry.name)) paths.push(path);
    }
  };
  walk(modelFolder);
  return paths.toSorted(compareText).map((path) => {
    const bytes = readFileSync(join(root, path));
    return { path, bytes, sha256: sha256Of(bytes) };
  });
}

/** The folder of the models, seen from the root. */
export const modelFolder = "ess";

/** The roster's path. */
export const rosterPath = "ess/system.yaml";
