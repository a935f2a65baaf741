import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { parseKid, stateFileBytesMax, type Kid } from "@connectors/domain";
import type { Custody } from "@connectors/runtime";
import { fail, succeed } from "@connectors/sdk";
import { createPrivateFile, readPrivateFile, removeFile } from "./private-file.js";
import { listFolder, openFolder } from "./state-directory.js";

const folderOf = (directory: string): string => join(directory, "keys");

/**
 * Whether this private key lies here. What cannot be looked at cannot be ruled out, and counts as
 * here: an answer must not claim more separation than is known.
 */
export async function holdsKey(directory: string, kid: Kid): Promise<boolean> {
  try {
    await lstat(join(folderOf(directory), `${kid}.json`));
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

/** The kids of the private keys that lie in this state directory. */
export async function listCustodyKids(directory: string): Promise<readonly Kid[]> {
  const files = await listFolder(folderOf(directory));
  return files
    .filter((file) => file.endsWith(".json"))
    .map((file) => parseKid(file.slice(0, -".json".length)))
    .filter((parsed) => parsed.ok)
    .map((parsed) => parsed.value);
}

/** Private keys as files, 0600 in a 0700 folder, never overwritten. */
export function makeFileCustody(directory: string): Custody {
  const folder = folderOf(directory);
  const fileOf = (kid: Kid): string => `${kid}.json`;
  return {
    read: (kid) => readPrivateFile(join(folder, fileOf(kid)), stateFileBytesMax),
    async write(kid, file) {
      const opened = await openFolder(folder);
      if (!opened.ok) return opened;
      const made = await createPrivateFile(folder, fileOf(kid), file);
      if (!made.ok) return made;
      return made.value === "made"
        ? succeed(null)
        : fail("lifecycle_conflict", "a private key of that id is there already");
    },
    async remove(kid) {
      await removeFile(join(folder, fileOf(kid)));
      return succeed(null);
    },
  };
}
