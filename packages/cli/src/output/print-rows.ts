import type { World } from "../world/world.js";
import type { OutputFormat } from "./format.js";
import { printJson } from "./print-json.js";

/** Writes a list: a table for people, one JSON array, or a line of JSON each. */
export function printRows(
  world: World,
  format: OutputFormat,
  rows: readonly unknown[],
  table: () => string,
): void {
  if (format === "text") world.out(table());
  else if (format === "json") printJson(world, rows);
  else for (const row of rows) printJson(world, row);
}
