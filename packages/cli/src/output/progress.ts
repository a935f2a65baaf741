import type { World } from "../world/world.js";
import { escapeLine } from "./escape.js";
import { styleOf } from "./style.js";

/** How long work may take before a person is told what is being waited for. */
const patienceMs = 1000;

/** Flags that decide whether progress is told. */
export interface ProgressFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/**
 * Does `work`, and says on stderr what is being done: at once with `-v`, after a second on a
 * terminal, never with `-q`.
 */
export async function withProgress<T>(
  world: World,
  flags: ProgressFlags,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const tell = (): void => world.err(`${styleOf(world).dim(`… ${escapeLine(what)}`)}\n`);
  if (flags.quiet === true) return work();
  if (flags.verbose === true) {
    tell();
    return work();
  }
  if (!world.errIsTerminal) return work();
  const forget = world.ambient.timers.after(patienceMs, tell);
  try {
    return await work();
  } finally {
    forget();
  }
}
