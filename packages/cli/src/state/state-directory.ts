import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { World } from "../world/world.js";

/** Where state lives: `--state`, else CONNECTORS_STATE, else XDG_STATE_HOME, else the home's. */
export function locateState(world: World, flag: string | undefined): string {
  const { environment, homeDirectory } = world;
  const named = flag ?? environment["CONNECTORS_STATE"];
  if (named !== undefined && named !== "") return resolve(named);
  const xdg = environment["XDG_STATE_HOME"];
  const base = xdg !== undefined && xdg !== "" ? xdg : join(homeDirectory, ".local", "state");
  return resolve(base, "connectors");
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

/** A folder that is ours alone: a real folder, this user's, 0700. Anything wider is refused. */
export async function checkFolder(path: string): Promise<Outcome<void>> {
  const seen = await lstat(path).catch((error: NodeJS.ErrnoException) => error);
  if (seen instanceof Error) {
    return seen.code === "ENOENT"
      ? fail("not_found", "the state directory does not exist", {
          hint: "Run `connectors init` first, or name another with --state.",
        })
      : fail("unavailable", "the state directory cannot be looked at", {
          hint: "Check that this user may read it.",
        });
  }
  if (seen.isSymbolicLink() || !seen.isDirectory()) {
    return fail("invalid_input", "the state directory is not a folder of its own", {
      hint: "Name a real folder with --state; links are not followed.",
    });
  }
  if (process.getuid !== undefined && seen.uid !== process.getuid()) {
    return fail("forbidden", "the state directory belongs to another user", {
      hint: "Use a folder of this user's own.",
    });
  }
  if ((seen.mode & 0o077) !== 0) {
    return fail("forbidden", `the state directory is open to others (mode ${octal(seen.mode)})`, {
      hint: "Others could read what is in it: look what that was, then `chmod 700` it.",
    });
  }
  return succeed(undefined);
}

/** Makes the folder 0700 when it is not there, and checks it when it is. */
export async function openFolder(path: string): Promise<Outcome<void>> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch {
    return fail("unavailable", "the state directory cannot be made", {
      hint: "Check the path, its parent's permissions and the disk.",
    });
  }
  return checkFolder(path);
}

async function readHandle(handle: FileHandle, bytesMax: number): Promise<Outcome<Uint8Array>> {
  const seen = await handle.stat();
  if (!seen.isFile()) return fail("invalid_input", "a state file is not an ordinary file");
  if (process.getuid !== undefined && seen.uid !== process.getuid()) {
    return fail("forbidden", "a state file belongs to another user", {
      hint: "Look who put it there; state files are this user's own.",
    });
  }
  if ((seen.mode & 0o077) !== 0) {
    return fail("forbidden", `a state file is open to others (mode ${octal(seen.mode)})`, {
      hint: "Look who could have read or changed it, then `chmod 600` it.",
    });
  }
  if (seen.size > bytesMax) return fail("capacity", "a state file is larger than it can be");
  const buffer = new Uint8Array(bytesMax + 1);
  let length = 0;
  while (length <= bytesMax) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > bytesMax) return fail("capacity", "a state file is larger than it can be");
  return succeed(buffer.slice(0, length));
}

// Not blocking: a pipe in a file's place would be waited for without an end.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a private file, 0600 and bounded; null when it is not there. */
export async function readPrivateFile(
  path: string,
  bytesMax: number,
): Promise<Outcome<Uint8Array | null>> {
  let handle: FileHandle;
  try {
    handle = await open(path, readFlags);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return succeed(null);
    if (code === "ELOOP") return fail("invalid_input", "a state file is a link");
    return fail("unavailable", "a state file cannot be read");
  }
  try {
    return await readHandle(handle, bytesMax);
  } catch {
    return fail("unavailable", "a state file cannot be read");
  } finally {
    await handle.close();
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new 0600 file, durable when it returns; one that is there already is never overwritten. */
export async function createPrivateFile(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<Outcome<"made" | "exists">> {
  try {
    await writeNew(join(folder, name), bytes);
    await syncFolder(folder);
    return succeed("made");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return succeed("exists");
    return fail(
      "unavailable",
      code === "ENOSPC" ? "the disk is full" : "a file cannot be written",
      {
        hint: "Check the disk and the folder's permissions.",
      },
    );
  }
}

/** Replaces a private file whole, so that a reader sees the old one or the new one. */
export async function replacePrivateFile(
  folder: string,
  name: string,
  bytes: Uint8Array,
  unique: string,
): Promise<Outcome<void>> {
  const temporary = join(folder, `.${name}.${unique}`);
  try {
    await writeNew(temporary, bytes);
    await rename(temporary, join(folder, name));
    await syncFolder(folder);
    return succeed(undefined);
  } catch (error) {
    await rm(temporary, { force: true });
    const full = (error as NodeJS.ErrnoException).code === "ENOSPC";
    return fail("unavailable", full ? "the disk is full" : "a state file cannot be written", {
      hint: "Check the disk and the folder's permissions.",
    });
  }
}

/**
 * A folder within the state directory, checked as that is: what others can write to, or a link
 * to it, holds no file of ours. One that is not there is as good as an empty one.
 */
export async function checkInnerFolder(path: string): Promise<Outcome<void>> {
  const checked = await checkFolder(path);
  return checked.ok || checked.failure.code === "not_found" ? succeed(undefined) : checked;
}

/** The names in a folder of ours, sorted; none when it is not there. */
export async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).filter((name) => !name.startsWith(".")).toSorted();
  } catch {
    return [];
  }
}

/** Removes a file; true when it was there. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch {
    return false;
  }
}
