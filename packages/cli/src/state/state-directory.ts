import { lstat, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { World } from "../world/world.js";
import { octal } from "./octal.js";

/** Where state lives: `--state`, else CONNECTORS_STATE, else XDG_STATE_HOME, else the home's. */
export function locateState(world: World, flag: string | undefined): string {
  const { environment, homeDirectory } = world;
  const named = flag ?? environment["CONNECTORS_STATE"];
  if (named !== undefined && named !== "") return resolve(named);
  const xdg = environment["XDG_STATE_HOME"];
  const base = xdg !== undefined && xdg !== "" ? xdg : join(homeDirectory, ".local", "state");
  return resolve(base, "connectors");
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
