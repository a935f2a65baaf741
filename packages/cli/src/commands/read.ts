import { succeed } from "@connectors/sdk";
import { withHost } from "../composition/with-host.js";
import { exitCodes } from "../exit-code.js";
import { readOperationInput } from "../input/operation-input.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import { withProgress } from "../output/progress.js";
import { formatRecord } from "../output/record.js";
import type { InputFlags } from "../program/write-commands.js";
import type { World } from "../world/world.js";
import { readPath, type OperationLine } from "./operation-line.js";

/** Makes one read and prints what it answered. */
export async function runRead(world: World, words: OperationLine<InputFlags>): Promise<number> {
  const { flags } = words;
  const line = readPath(words);
  if (!line.ok) return finish(world, flags.output, line);
  const { path } = line.value;
  return withHost(world, flags, { only: path.adapter }, async ({ host }) => {
    const input = await readOperationInput(world, host, path, line.value);
    if (!input.ok) return input;
    const { signal } = world.interrupt;
    const answer = await withProgress(world, flags, `asking ${path.adapter}`, () =>
      host.read({ ...path, input: input.value, signal }),
    );
    if (!answer.ok) return answer;
    if (flags.output === "text") world.out(formatRecord(answer.value));
    else printJson(world, answer.value);
    return succeed(exitCodes.ok);
  });
}
