import { unlinkSync } from "node:fs";
import { pageMax } from "@connectors/domain";
import type { Journal, OwnerLocks } from "@connectors/runtime";
import { fail, invariant, succeed, type Ambient, type Outcome } from "@connectors/sdk";
import type { SqlDriver } from "../driver/sql-driver.js";
import { checkPrivateFile, narrowFile, readErrorCode } from "../files/private-files.js";
import { isNonce, lockPath, type StorePaths } from "../files/store-paths.js";
import { takeLock, type HeldLock } from "./lock-file.js";

export interface OwnerLocksOptions {
  readonly driver: SqlDriver;
  readonly paths: StorePaths;
  /** Says which owners' rows are live; their lock files are kept. */
  readonly journal: Pick<Journal, "query">;
  readonly ambient: Pick<Ambient, "timers">;
}

const lockFileName = "an owner's lock file";

/** Another process that tidies up holds a new lock file for an instant, and then it is gone. */
const takeAttemptsMax = 50;
const takePauseMs = 2;

/**
 * Owners' locks as files of the state directory, held by connections of the calling thread: the
 * end of a worker would let go of them while the process still works.
 */
export function makeOwnerLocks(options: OwnerLocksOptions): OwnerLocks {
  return {
    hold: async (nonce) => {
      invariant(isNonce(nonce), "an owner's nonce is a UUID");
      const lock = await takeOwnLock(options, lockPath(options.paths, nonce));
      if (!lock.ok) return lock;
      return succeed({ release: once(() => letGo(options, nonce, lock.value)) });
    },
    seize: async (nonce) => {
      if (!isNonce(nonce)) return { kind: "undecided" };
      const lock = takeExistingLock(options.driver, lockPath(options.paths, nonce));
      if (lock === "busy") return { kind: "alive" };
      if (lock === "undecided") return { kind: "undecided" };
      return { kind: "dead", release: once(() => letGo(options, nonce, lock)) };
    },
  };
}

async function takeOwnLock(
  { driver, ambient }: OwnerLocksOptions,
  path: string,
): Promise<Outcome<HeldLock>> {
  for (let attempt = 0; attempt < takeAttemptsMax; attempt += 1) {
    const before = checkPrivateFile(path, lockFileName);
    if (!before.ok) return before;
    const lock = takeLock(driver, path, "create");
    if (lock === "missing" || lock === "failed") break;
    if (lock === "busy") {
      await new Promise<void>((resolve) => {
        ambient.timers.after(takePauseMs, resolve);
      });
      continue;
    }
    // Somebody who tidied up may have removed the file between its making and its locking; a lock
    // on a file without a name would keep nobody from anything.
    const after = checkPrivateFile(path, lockFileName);
    if (after.ok && after.value !== "missing") {
      narrowFile(path);
      return succeed(lock);
    }
    lock.close();
    if (!after.ok) return after;
  }
  return fail("unavailable", "this process cannot take its own lock in the state directory", {
    hint: "Check that the state directory is yours, writable and on a local disk.",
  });
}

/** Takes the lock of an owner that is not here any more; never makes its file. */
export function takeExistingLock(driver: SqlDriver, path: string): HeldLock | "busy" | "undecided" {
  const found = checkPrivateFile(path, lockFileName);
  if (!found.ok || found.value === "missing") return "undecided";
  const lock = takeLock(driver, path, "existing");
  return lock === "missing" || lock === "failed" ? "undecided" : lock;
}

/**
 * Lets a lock go. Its file is removed, unless its owner's row is still live: then the lock is the
 * only proof there will ever be that the owner is dead.
 */
export async function letGo(
  { journal, paths }: OwnerLocksOptions,
  nonce: string,
  lock: HeldLock,
): Promise<void> {
  const owners = await journal.query({ kind: "owners", state: "live" });
  const live =
    !owners.ok ||
    owners.value.owners.length >= pageMax ||
    owners.value.owners.some((owner) => owner.nonce === nonce);
  lock.close();
  if (!live) removeFile(lockPath(paths, nonce));
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Somebody who tidied up was faster.
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
