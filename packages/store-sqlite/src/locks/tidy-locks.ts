import { readdirSync } from "node:fs";
import { lockPath, readLockName } from "../files/store-paths.js";
import { letGo, takeExistingLock, type OwnerLocksOptions } from "./owner-locks.js";

/** Files of ended owners that one look removes at most. */
const tidyMax = 256;

/**
 * Removes the lock files whose owners ended: one that was recovered leaves its file, and so does
 * one that died between its release and the removal.
 *
 * The lock is taken before the owner's row is looked at: an owner that is about to write its row
 * holds it, or sees afterwards that its file is gone and makes another.
 */
export async function tidyLocks(options: OwnerLocksOptions): Promise<void> {
  const nonces = readdirSync(options.paths.owners)
    .map(readLockName)
    .filter((nonce) => nonce !== undefined);
  for (const nonce of nonces.slice(0, tidyMax)) {
    const lock = takeExistingLock(options.driver, lockPath(options.paths, nonce));
    if (lock !== "busy" && lock !== "undecided") await letGo(options, nonce, lock);
  }
}
