import { succeed } from "@connectors/sdk";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { escapeJson } from "../output/escape.js";
import { finish } from "../output/finish.js";
import { withProgress } from "../output/progress.js";
import type { PrepareFlags } from "../program/write-commands.js";
import type { World } from "../world/world.js";
import { checkAccess } from "./access-check.js";
import { freezeLine } from "./freeze-line.js";
import { readPath, type OperationLine } from "./operation-line.js";

/** A prepared file is for a file: what a terminal would act on is only shown to it. */
function printPrepared(world: World, bytes: Uint8Array, { quiet }: PrepareFlags): void {
  if (world.outIsTerminal) {
    world.out(`${escapeJson(new TextDecoder().decode(bytes).trimEnd())}\n`);
    if (quiet !== true) world.err("keep this in a file: connectors prepare … > prepared.json\n");
  } else world.outBytes(bytes);
}

/** Freezes a write into a file on stdout; nothing is sent but `--at-current` and `--check`. */
export async function runPrepare(
  world: World,
  words: OperationLine<PrepareFlags>,
): Promise<number> {
  const { flags } = words;
  const line = readPath(words);
  if (!line.ok) return finish(world, flags.output, line);
  const { adapter } = line.value.path;
  return withHost(world, flags, { only: adapter }, async (opened) => {
    const frozen = await freezeLine(world, opened.host, line.value);
    if (!frozen.ok) return frozen;
    if (flags.check === true) {
      const { signal } = world.interrupt;
      const allowed = await withProgress(world, flags, `asking ${adapter} what is granted`, () =>
        checkAccess(opened, frozen.value, signal),
      );
      if (!allowed.ok) return allowed;
      if (flags.quiet !== true) world.err("the API server would allow it now\n");
    }
    printPrepared(world, frozen.value.preparedBytes, flags);
    return succeed(exitCodes.ok);
  });
}
