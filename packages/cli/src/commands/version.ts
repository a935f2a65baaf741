import { readFileSync } from "node:fs";
import { exitCodes } from "../exit-code.js";
import { printJson } from "../output/print-json.js";
import type { AnswerFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

// From `bundle`, and from `dist/commands` or `src/commands`.
const manifests = ["../package.json", "../../package.json"];

function readManifest(path: string): string | null {
  try {
    const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
    return typeof manifest === "object" && manifest !== null && "version" in manifest
      ? String(manifest.version)
      : null;
  } catch {
    return null;
  }
}

/** This package's version, from the manifest beside it. */
export function readVersion(): string {
  return manifests.map(readManifest).find((version) => version !== null) ?? "unknown";
}

/** Prints what this is and what it runs on. */
export async function runVersion(world: World, flags: AnswerFlags): Promise<number> {
  const facts = {
    connectors: readVersion(),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
  if (flags.output === "text") {
    world.out(`connectors ${facts.connectors} (node ${facts.node}, ${facts.platform})\n`);
  } else printJson(world, facts);
  return exitCodes.ok;
}
