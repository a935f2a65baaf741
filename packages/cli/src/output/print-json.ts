import type { World } from "../world/world.js";
import { escapeJson } from "./escape.js";

/**
 * Writes one value as one line of JSON. On a terminal whatever would act on it is written as
 * `\uXXXX`, which is the same JSON.
 */
export function printJson(world: World, value: unknown): void {
  const text = JSON.stringify(value);
  world.out(`${world.outIsTerminal ? escapeJson(text) : text}\n`);
}
