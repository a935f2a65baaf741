import type { World } from "../world/world.js";
import { escapeLine } from "./escape.js";
import type { OutputFormat } from "./format.js";
import { printJson } from "./print-json.js";
import { styleOf } from "./style.js";

/** One thing that was looked at, and how it stands. */
export interface Finding {
  readonly name: string;
  readonly level: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do about it; null where nothing is to be done. */
  readonly hint: string | null;
}

/** A finding that needs nothing done. */
export function fine(name: string, detail: string): Finding {
  return { name, level: "ok", detail, hint: null };
}

/** A finding that somebody should look at. */
export function warning(name: string, detail: string, hint: string): Finding {
  return { name, level: "warn", detail, hint };
}

/** A finding that stops work. */
export function fault(name: string, detail: string, hint: string): Finding {
  return { name, level: "fail", detail, hint };
}

/** Writes findings, each with what to do about it; true when none of them stops work. */
export function printFindings(
  world: World,
  findings: readonly Finding[],
  format: OutputFormat,
): boolean {
  const sound = findings.every(({ level }) => level !== "fail");
  if (format === "jsonl") for (const finding of findings) printJson(world, finding);
  else if (format === "json") printJson(world, { sound, findings });
  else {
    const style = styleOf(world);
    const marks = { ok: "ok  ", warn: style.yellow("warn"), fail: style.red("FAIL") };
    for (const { name, level, detail, hint } of findings) {
      world.out(`${marks[level]} ${escapeLine(name)}: ${escapeLine(detail)}\n`);
      if (hint !== null) world.out(`     ${style.dim("next:")} ${escapeLine(hint)}\n`);
    }
  }
  return sound;
}
