import { constants, type Stats } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail, failWith, makeFailure, succeed, type Failure, type Outcome } from "@connectors/sdk";
import { octal } from "./octal.js";

const privately = "It is a file of this user's own, 0600: see how it came to be otherwise.";

/** Why a file is not one that only we can have written; `name` is what it is called here. */
function findFault(name: string, seen: Stats, bytesMax: number): Failure | null {
  if (!seen.isFile()) {
    return makeFailure("invalid_input", `${name} is not an ordinary file`, { hint: privately });
  }
  if (process.getuid !== undefined && seen.uid !== process.getuid()) {
    return makeFailure("forbidden", `${name} belongs to another user`, {
      hint: "Look who put it there; state files are this user's own.",
    });
  }
  if ((seen.mode & 0o077) !== 0) {
    return makeFailure("forbidden", `${name} is open to others (mode ${octal(seen.mode)})`, {
      hint: "Look who could have read or changed it, then `chmod 600` it.",
    });
  }
  return seen.size > bytesMax ? tooLarge(name) : null;
}

function tooLarge(name: string): Failure {
  return makeFailure("capacity", `${name} is larger than it can be`, {
    hint: "It is not what was written here: restore it, or make it anew.",
  });
}

async function readHandle(
  name: string,
  handle: FileHandle,
  bytesMax: number,
): Promise<Outcome<Uint8Array>> {
  const fault = findFault(name, await handle.stat(), bytesMax);
  if (fault !== null) return failWith(fault);
  const buffer = new Uint8Array(bytesMax + 1);
  let length = 0;
  while (length <= bytesMax) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length > bytesMax ? failWith(tooLarge(name)) : succeed(buffer.slice(0, length));
}

// Not blocking: a pipe in a file's place would be waited for without an end.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a private file, 0600 and bounded; null when it is not there. */
export async function readPrivateFile(
  path: string,
  bytesMax: number,
): Promise<Outcome<Uint8Array | null>> {
  const name = basename(path);
  const unreadable = fail("unavailable", `${name} cannot be read`, { hint: privately });
  let handle: FileHandle;
  try {
    handle = await open(path, readFlags);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return succeed(null);
    return code === "ELOOP"
      ? fail("invalid_input", `${name} is a link`, {
          hint: "Put the file itself in its place; links are not followed.",
        })
      : unreadable;
  }
  try {
    return await readHandle(name, handle, bytesMax);
  } catch {
    return unreadable;
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

/** Removes a file; true when it was there. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch {
    return false;
  }
}
