import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The minor version whose requests are recorded here. */
export const kubectlMinor = "1.35";

function versionOf(argv: readonly string[]): string {
  const [program = "", ...args] = argv;
  const done = spawnSync(program, [...args, "version", "--client"], { encoding: "utf8" });
  return /Client Version: v(\d+\.\d+)\.\d+\s/.exec(done.stdout ?? "")?.[1] ?? "";
}

/** The words that run a kubectl of that version: `KUBECTL`, the path's, or a built one; or null. */
export function findKubectl(): readonly string[] | null {
  const built = join(homedir(), ".cache", "connectors-rig", "rig-1.35.4");
  const named = process.env["KUBECTL"];
  const candidates = [
    ...(named === undefined ? [] : [named.split(" ")]),
    ["kubectl"],
    ...(existsSync(built) ? [[built, "kubectl"]] : []),
  ];
  return candidates.find((argv) => versionOf(argv) === kubectlMinor) ?? null;
}
