import { parseOperationPath } from "../composition/operation-name.js";
import { withHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { readOperationInput } from "../input/operation-input.js";
import { interruptible } from "../world/interrupt.js";
import { printFailure } from "../output/print-failure.js";
import { formatRecord } from "../output/record.js";
import type { InputFlags } from "../program/write-commands.js";
import type { World } from "../world/world.js";

/** What a line names: an operation, its input, and flags. */
export interface OperationLine<Flags extends InputFlags> {
  readonly operation: string | undefined;
  readonly pairs: readonly string[];
  readonly flags: Flags;
}

/** Makes one read and prints what it answered. */
export async function runRead(world: World, line: OperationLine<InputFlags>): Promise<number> {
  const { flags } = line;
  const path = parseOperationPath(line.operation);
  if (!path.ok) {
    printFailure(world, path.failure, flags.output);
    return exitCodes.usage;
  }
  return withHost(world, flags, { only: path.value.adapter }, async ({ host }) => {
    const input = await readOperationInput(world, host, path.value, line);
    const signal = interruptible().signal;
    const answer = input.ok
      ? await host.read({ ...path.value, input: input.value, signal })
      : input;
    if (!answer.ok) {
      printFailure(world, answer.failure, flags.output);
      return answer.failure.code === "interrupted" ? exitCodes.interrupted : exitCodes.nothingDone;
    }
    world.out(
      flags.output === "text" ? formatRecord(answer.value) : `${JSON.stringify(answer.value)}\n`,
    );
    return exitCodes.ok;
  });
}
