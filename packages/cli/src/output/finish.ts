import type { Outcome } from "@connectors/sdk";
import { exitCodeOfFailure } from "../exit-code.js";
import type { World } from "../world/world.js";
import type { OutputFormat } from "./format.js";
import { printFailure } from "./print-failure.js";

/** The exit code of a command that came to this end; a failure is printed. */
export function finish(world: World, format: OutputFormat, end: Outcome<number>): number {
  if (end.ok) return end.value;
  printFailure(world, end.failure, format);
  return exitCodeOfFailure(end.failure);
}
