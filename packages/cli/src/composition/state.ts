import { isAbsolute, join } from "node:path";
import type { AdapterFile, HostFile } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { CommonFlags } from "../program/flags.js";
import { listAdapterNames, readAdapterFile } from "../state/adapter-files.js";
import { readHostFile } from "../state/host-file.js";
import { checkFolder, checkInnerFolder, locateState } from "../state/state-directory.js";
import type { World } from "../world/world.js";

/** A state directory that `init` made, as its small files say. */
export interface OpenedState {
  readonly directory: string;
  readonly hostFile: HostFile;
}

/** The state directory of this command line, checked; `not_found` before `init`. */
export async function openState(world: World, flags: CommonFlags): Promise<Outcome<OpenedState>> {
  const directory = locateState(world, flags.state);
  if (!isAbsolute(directory)) return fail("invalid_input", "the state directory has no path");
  const checked = await checkFolder(directory);
  if (!checked.ok) return checked;
  for (const inner of ["adapters", "keys"]) {
    const sound = await checkInnerFolder(join(directory, inner));
    if (!sound.ok) return sound;
  }
  const hostFile = await readHostFile(directory);
  if (!hostFile.ok) return hostFile;
  if (hostFile.value === null) {
    return fail("not_found", "this state directory was never initialised", {
      hint: "Run `connectors init` first, or name another with --state.",
    });
  }
  return succeed({ directory, hostFile: hostFile.value });
}

/** Every adapter file of a state directory, or only the named one. */
export async function readAdapterFiles(
  directory: string,
  only: string | null,
): Promise<Outcome<readonly AdapterFile[]>> {
  const names = only === null ? await listAdapterNames(directory) : [only];
  const files: AdapterFile[] = [];
  for (const name of names) {
    const file = await readAdapterFile(directory, name);
    if (!file.ok) return file;
    files.push(file.value);
  }
  return succeed(files);
}
