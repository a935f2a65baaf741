import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { fail, succeed, type Failure, type Outcome } from "@connectors/sdk";

// Nothing here opens a file: closing any descriptor of a database drops the POSIX locks that this
// process holds on it, whoever took them. Looking at names is enough.

const groupAndOthers = 0o077;
const directoryMode = 0o700;
const fileMode = 0o600;

/**
 * The directory is there, this user's own and nobody else's to read; made when it was missing.
 * `unavailable` when it is wider, foreign, or a link to somewhere else.
 */
export function ensurePrivateDirectory(path: string, name: string): Outcome<void> {
  try {
    mkdirSync(path, { recursive: true, mode: directoryMode });
  } catch (error) {
    if (readErrorCode(error) !== "EEXIST") return refuseAccess(error, name);
  }
  return checkPrivateDirectory(path, name);
}

/** The same of a directory that must be there already. */
export function checkPrivateDirectory(path: string, name: string): Outcome<void> {
  const stats = lookAt(path);
  if (!stats.ok) return refuseAccess(stats.error, name);
  if (!stats.value?.isDirectory()) return refuse(`${name} is not a directory`, `Move it away.`);
  return checkOwnership(stats.value, name, "chmod 700");
}

/** What stands at a private file's name. */
export type PrivateFile = "missing" | "empty" | "filled";

/**
 * A private file's name leads to nothing, or to one plain file of this user alone.
 * `unavailable` when the file is wider than 0600, foreign, a link, or has a second name: two names
 * of one database would have two logs.
 */
export function checkPrivateFile(path: string, name: string): Outcome<PrivateFile> {
  const stats = lookAt(path);
  if (!stats.ok) return refuseAccess(stats.error, name);
  if (stats.value === undefined) return succeed("missing");
  if (!stats.value.isFile()) return refuse(`${name} is not a plain file`, `Move it away.`);
  if (stats.value.nlink > 1) {
    return refuse(`${name} has a second name`, "Remove the hard link: a store has one name.");
  }
  // SQLite makes a file by the umask and it is narrowed right after; another process may see it in
  // between, while nothing is in it.
  if (stats.value.size === 0 && isOwn(stats.value)) return succeed("empty");
  const owned = checkOwnership(stats.value, name, "chmod 600");
  return owned.ok ? succeed("filled") : owned;
}

/** Takes a new, empty file from everyone else; the umask may have left it open to them. */
export function narrowFile(path: string): void {
  chmodSync(path, fileMode);
}

/** A failure whose message names a file of the state directory and nothing of its content. */
export function refuse(message: string, hint: string): { ok: false; failure: Failure } {
  return { ...fail("unavailable", message, { retry: "after_check", hint }) };
}

/** The code of a system call's error, such as ENOENT. */
export function readErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function lookAt(
  path: string,
):
  | { readonly ok: true; readonly value: Stats | undefined }
  | { readonly ok: false; error: unknown } {
  try {
    return { ok: true, value: lstatSync(path, { throwIfNoEntry: false }) };
  } catch (error) {
    return { ok: false, error };
  }
}

function checkOwnership(stats: Stats, name: string, remedy: string): Outcome<void> {
  if (!isOwn(stats))
    return refuse(`${name} belongs to another user`, "Use a directory of your own.");
  if ((stats.mode & groupAndOthers) !== 0) {
    return refuse(`${name} can be read or changed by others`, `Run \`${remedy}\` on it.`);
  }
  return succeed(undefined);
}

function isOwn(stats: Stats): boolean {
  return process.geteuid === undefined || stats.uid === process.geteuid();
}

function refuseAccess(error: unknown, name: string): { ok: false; failure: Failure } {
  const code = readErrorCode(error) ?? "an unknown error";
  return refuse(`${name} cannot be reached: ${code}`, "Check the path and its permissions.");
}
