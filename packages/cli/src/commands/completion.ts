import tab from "@bomb.sh/tab/commander";
import { operationDeclarations } from "@connectors/domain";
import { CommanderError } from "commander";
import { exitCodes } from "../exit-code.js";
import { makeProgram } from "../program/program.js";
import { listAdapterNames, readAdapterFile } from "../state/adapter-files.js";
import { locateState } from "../state/state-directory.js";
import type { World } from "../world/world.js";
import { bashCompletion } from "./completion-bash.js";

const reads = operationDeclarations
  .filter(({ profile }) => profile !== "mutation")
  .map(({ id }) => id);

interface OperationNames {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** What can stand where an operation is named: ADAPTER/OPERATION of the configured adapters. */
async function listOperationNames(
  directory: string,
  adapters: readonly string[],
): Promise<OperationNames> {
  const names = { reads: new Array<string>(), writes: new Array<string>() };
  for (const adapter of adapters) {
    const file = await readAdapterFile(directory, adapter);
    const writes = file.ok ? file.value.configuration.operations : [];
    names.reads.push(...reads.map((operation) => `${adapter}/${operation}`));
    names.writes.push(...writes.map((operation) => `${adapter}/${operation}`));
  }
  return names;
}

/** What stands at a command's argument, by the command and the argument's name. */
async function listWords(world: World): Promise<ReadonlyMap<string, readonly string[]>> {
  const directory = locateState(world, undefined);
  const adapters = await listAdapterNames(directory);
  const operations = await listOperationNames(directory, adapters);
  return new Map<string, readonly string[]>([
    ["write operation", operations.writes],
    ["prepare operation", operations.writes],
    ["read operation", operations.reads],
    ["describe operation", [...operations.reads, ...operations.writes]],
    ["operations adapter", adapters],
    ["completion shell", ["bash", "zsh", "fish"]],
    ...["show", "check", "remove"].map((verb) => [`adapters ${verb} name`, adapters] as const),
  ]);
}

/**
 * Answers `completion SHELL` (the script) and `complete -- WORDS` (what the script asks).
 *
 * The words come from the same tree of commands that is run.
 */
export async function runCompletion(world: World, argv: readonly string[]): Promise<number> {
  if (argv.join(" ") === "completion bash") {
    world.out(bashCompletion);
    return exitCodes.ok;
  }
  const { command } = makeProgram(world, { completion: false, after: null });
  const root = tab(command, { completionCommandName: "completion" });
  for (const [place, words] of await listWords(world)) {
    const at = place.lastIndexOf(" ");
    root.commands.get(place.slice(0, at))?.argument(place.slice(at + 1), (complete) => {
      for (const word of words) complete(word, "");
    });
  }
  try {
    await command.parseAsync([...argv], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
}
