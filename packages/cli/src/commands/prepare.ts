import { parseOperationPath } from "../composition/operation-name.js";
import { withHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { printFailure } from "../output/print-failure.js";
import type { PrepareFlags } from "../program/write-commands.js";
import { interruptible } from "../world/interrupt.js";
import type { World } from "../world/world.js";
import { checkAccess } from "./access-check.js";
import { freezeLine } from "./freeze-line.js";
import type { OperationLine } from "./read.js";

/** Freezes a write into a file on stdout; nothing is sent but `--at-current` and `--check`. */
export async function runPrepare(world: World, line: OperationLine<PrepareFlags>): Promise<number> {
  const { flags } = line;
  const path = parseOperationPath(line.operation);
  if (!path.ok) {
    printFailure(world, path.failure, flags.output);
    return exitCodes.usage;
  }
  return withHost(world, flags, { only: path.value.adapter }, async (opened) => {
    const { signal } = interruptible();
    const { pairs } = line;
    const frozen = await freezeLine(world, opened.host, { path: path.value, pairs, flags, signal });
    if (!frozen.ok) {
      printFailure(world, frozen.failure, flags.output);
      return exitCodes.nothingDone;
    }
    if (flags.check === true) {
      const allowed = await checkAccess(opened, frozen.value, signal);
      if (!allowed.ok) {
        printFailure(world, allowed.failure, flags.output);
        return exitCodes.nothingDone;
      }
      if (flags.quiet !== true) world.err("the API server would allow it now\n");
    }
    world.outBytes(frozen.value.preparedBytes);
    if (flags.quiet !== true && world.outIsTerminal) {
      world.err("keep this in a file: connectors prepare … > prepared.json\n");
    }
    return exitCodes.ok;
  });
}
