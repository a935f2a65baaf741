import { join } from "node:path";

/** Where a store keeps what inside the state directory. */
export interface StorePaths {
  readonly directory: string;
  readonly ledger: string;
  /** SQLite's write-ahead log of it. */
  readonly log: string;
  /** What SQLite keeps beside a database in WAL mode. */
  readonly sidecars: readonly { readonly path: string; readonly name: string }[];
  readonly owners: string;
}

export const ledgerName = "ledger.db";
export const ownersName = "owners";
const lockSuffix = ".lock";

/** The names of a store's files; `directory` is absolute. */
export function makeStorePaths(directory: string): StorePaths {
  return {
    directory,
    ledger: join(directory, ledgerName),
    log: join(directory, `${ledgerName}-wal`),
    sidecars: [`${ledgerName}-wal`, `${ledgerName}-shm`].map((name) => ({
      path: join(directory, name),
      name,
    })),
    owners: join(directory, ownersName),
  };
}

/** An owner's lock file. */
export function lockPath(paths: StorePaths, nonce: string): string {
  return join(paths.owners, `${nonce}${lockSuffix}`);
}

/** The nonce in a lock file's name; undefined for any other file. */
export function readLockName(file: string): string | undefined {
  if (!file.endsWith(lockSuffix)) return undefined;
  const nonce = file.slice(0, -lockSuffix.length);
  return isNonce(nonce) ? nonce : undefined;
}

/** Whether this can be a file's name and nothing else: a UUID's characters. */
export function isNonce(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}
