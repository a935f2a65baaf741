import type { AdapterFile } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { openState, readAdapterFiles } from "../composition/state.js";
import { exitCodes } from "../exit-code.js";
import { printFindings } from "../output/findings.js";
import { finish } from "../output/finish.js";
import { printJson } from "../output/print-json.js";
import { printRows } from "../output/print-rows.js";
import { withProgress } from "../output/progress.js";
import { formatRecord } from "../output/record.js";
import { formatTable } from "../output/table.js";
import type { CommonFlags } from "../program/flags.js";
import { readAdapterFile, removeAdapterFile } from "../state/adapter-files.js";
import type { World } from "../world/world.js";

function formatAdapters(files: readonly AdapterFile[]): string {
  return formatTable(
    ["NAME", "KIND", "CLUSTER", "IDENTITY", "NAMESPACES", "WRITES"],
    files.map(({ name, adapter, probed, configuration }) => [
      name,
      adapter,
      probed.provider.base_url,
      probed.provider.username,
      configuration.namespaces.join(","),
      configuration.operations.join(",") || "-",
    ]),
  );
}

/** Lists the adapters of this state directory. */
export async function runAdaptersList(world: World, flags: CommonFlags): Promise<number> {
  const state = await openState(world, flags);
  if (!state.ok) return finish(world, flags.output, state);
  const files = await readAdapterFiles(state.value.directory, null);
  if (!files.ok) return finish(world, flags.output, files);
  printRows(world, flags.output, files.value, () => formatAdapters(files.value));
  return exitCodes.ok;
}

async function act(
  world: World,
  verb: "show" | "check" | "remove",
  { file, directory }: { readonly file: AdapterFile; readonly directory: string },
  flags: CommonFlags,
): Promise<Outcome<number>> {
  const text = flags.output === "text";
  if (verb === "show") {
    if (text) world.out(formatRecord({ ...file }));
    else printJson(world, file);
    return succeed(exitCodes.ok);
  }
  if (verb === "check") {
    const { signal } = world.interrupt;
    const { checkAdapter } = await import("./adapter-check.js");
    const findings = await withProgress(world, flags, `asking ${file.name} what it grants`, () =>
      checkAdapter(world, file, signal),
    );
    if (signal.aborted) return fail("interrupted", "it was interrupted before it was answered");
    const sound = printFindings(world, findings, flags.output);
    return succeed(sound ? exitCodes.ok : exitCodes.nothingDone);
  }
  const removed = await removeAdapterFile(directory, file.name);
  if (!removed) {
    return fail("unavailable", "the adapter's file cannot be removed", {
      hint: "Check the permissions of the state directory.",
    });
  }
  if (text) world.out(`${file.name} is forgotten; its attempts stay in the ledger\n`);
  else printJson(world, { removed });
  return succeed(exitCodes.ok);
}

/** `show`, `check` or `remove` of one adapter. */
export async function runAdapter(
  world: World,
  verb: "show" | "check" | "remove",
  name: string,
  flags: CommonFlags,
): Promise<number> {
  const state = await openState(world, flags);
  if (!state.ok) return finish(world, flags.output, state);
  const { directory } = state.value;
  const file = await readAdapterFile(directory, name);
  if (!file.ok) return finish(world, flags.output, file);
  return finish(
    world,
    flags.output,
    await act(world, verb, { file: file.value, directory }, flags),
  );
}
