import tab from "@bomb.sh/tab/commander";
import { CommanderError } from "commander";
import { exitCodes } from "../exit-code.js";
import { makeProgram } from "../program/program.js";
import { listAdapterNames, readAdapterFile } from "../state/adapter-files.js";
import { locateState } from "../state/state-directory.js";
import type { World } from "../world/world.js";

const reads = ["deployments.get"];

/** What can stand where an operation is named: ADAPTER/OPERATION of the configured adapters. */
async function operationNames(world: World): Promise<readonly string[]> {
  const directory = locateState(world, undefined);
  const names: string[] = [];
  for (const name of await listAdapterNames(directory)) {
    const file = await readAdapterFile(directory, name);
    const operations = file.ok ? file.value.configuration.operations : [];
    names.push(...[...reads, ...operations].map((operation) => `${name}/${operation}`));
  }
  return names;
}

/**
 * Answers `completion SHELL` (the script) and `complete -- WORDS` (what the script asks).
 *
 * The words come from the same tree of commands that is run.
 */
export async function runCompletion(world: World, argv: readonly string[]): Promise<number> {
  const { command } = makeProgram(world, { completion: false });
  const root = tab(command, { completionCommandName: "completion" });
  const directory = locateState(world, undefined);
  const [operations, adapters] = [await operationNames(world), await listAdapterNames(directory)];
  for (const verb of ["write", "read", "prepare", "describe"]) {
    root.commands.get(verb)?.argument("operation", (complete) => {
      for (const name of operations) complete(name, "");
    });
  }
  for (const verb of ["adapters show", "adapters check", "adapters remove", "operations"]) {
    root.commands.get(verb)?.argument("name", (complete) => {
      for (const name of adapters) complete(name, "");
    });
  }
  try {
    await command.parseAsync([...argv], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    throw error;
  }
}
