import { fail, succeed } from "@connectors/sdk";
import type { OwnerLocks } from "./journal.js";

/** Who holds each owner's lock; null is a lock whose holder's process ended. */
export type MemoryLockTable = Map<string, symbol | null>;

/** The locks as the process `holder` has them; `isLive` says what an owner's row says. */
export function makeMemoryLocks(
  table: MemoryLockTable,
  holder: symbol,
  isLive: (nonce: string) => boolean,
): OwnerLocks {
  function releaseOnce(nonce: string): () => Promise<void> {
    return () => {
      // Whoever lost it with their process has nothing to release.
      if (table.get(nonce) !== holder) return Promise.resolve();
      if (isLive(nonce)) table.set(nonce, null);
      else table.delete(nonce);
      return Promise.resolve();
    };
  }
  return {
    hold(nonce) {
      if (table.has(nonce)) {
        return Promise.resolve(fail("lifecycle_conflict", "This owner's lock was taken before."));
      }
      table.set(nonce, holder);
      return Promise.resolve(succeed({ release: releaseOnce(nonce) }));
    },
    seize(nonce) {
      const now = table.get(nonce);
      if (now === undefined) return Promise.resolve({ kind: "undecided" });
      if (now !== null) return Promise.resolve({ kind: "alive" });
      table.set(nonce, holder);
      return Promise.resolve({ kind: "dead", release: releaseOnce(nonce) });
    },
  };
}

/** Frees what the process `holder` held, as its end does; the locks stay to be found. */
export function dropMemoryLocks(table: MemoryLockTable, holder: symbol): void {
  for (const [nonce, now] of table) {
    if (now === holder) table.set(nonce, null);
  }
}
