import type { Failure } from "@connectors/sdk";
import type { World } from "../world/world.js";
import { escapeLine } from "./escape.js";
import type { OutputFormat } from "./format.js";
import { printJson } from "./print-json.js";
import { styleOf } from "./style.js";

const effectWords = {
  none: "Nothing was done.",
  applied: "It was done.",
  unknown: "It may have been done.",
} as const;

/** A failure with the members that JSON output promises, and no others. */
export function failureBody(failure: Failure): Readonly<Record<string, string>> {
  const { code, message, effect, retry, hint, reason } = failure;
  return { code, message, ...(reason === undefined ? {} : { reason }), effect, retry, hint };
}

/** Says what failed, what is known of the effect, and what to do next: a line each. */
export function printFailure(world: World, failure: Failure, format: OutputFormat): void {
  if (format !== "text") {
    printJson(world, { failure: failureBody(failure) });
    return;
  }
  const style = styleOf(world);
  const reason = failure.reason === undefined ? "" : ` (${escapeLine(failure.reason)})`;
  world.err(`${style.red(failure.code)}: ${escapeLine(failure.message)}${reason}\n`);
  world.err(`  ${effectWords[failure.effect]}\n`);
  if (failure.hint !== "") world.err(`  ${style.dim("next:")} ${escapeLine(failure.hint)}\n`);
}
