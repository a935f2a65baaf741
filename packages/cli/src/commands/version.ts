import { readFileSync } from "node:fs";
import { exitCodes } from "../exit-code.js";
import type { CommonFlags } from "../program/flags.js";
import type { World } from "../world/world.js";

/** This package's version, from the manifest beside it. */
export function readVersion(): string {
  // `dist/commands` and `bundle` are one and two levels deep.
  for (const step of ["../package.json", "../../package.json"]) {
    try {
      const text = readFileSync(new URL(step, import.meta.url), "utf8");
      const manifest: unknown = JSON.parse(text);
      if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
        return String(manifest.version);
      }
    } catch {
      continue;
    }
  }
  return "0.0.0";
}

/** Prints what this is and what it runs on. */
export async function runVersion(world: World, flags: CommonFlags): Promise<number> {
  const facts = {
    connectors: readVersion(),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
  if (flags.output === "text") {
    world.out(`connectors ${facts.connectors} (node ${facts.node}, ${facts.platform})\n`);
  } else {
    world.out(`${JSON.stringify(facts)}\n`);
  }
  return exitCodes.ok;
}
