import type { JournalRequest } from "@connectors/domain";
import { failWith, type Outcome } from "@connectors/sdk";
import type { Journal } from "../journal/journal.js";
import { takeOwnership, type Ownership, type OwnershipScope } from "./ownership.js";

/** A process that becomes an owner with its first write. */
export interface LazyOwnership {
  /** Whoever writes through it is an owner before anything is written; reads need none. */
  readonly journal: Journal;
  /** Ends the ownership, if there is one. Idempotent. */
  release(): Promise<void>;
}

/**
 * Registers this process when it first writes, and not before: a command that only looks leaves no
 * row, no lock and no record behind.
 */
export function makeLazyOwnership(scope: OwnershipScope, pid: number): LazyOwnership {
  let taken: Promise<Outcome<Ownership>> | undefined;
  let ended = false;

  async function ensure(): Promise<Outcome<Ownership>> {
    taken ??= takeOwnership(scope, pid);
    const ownership = await taken;
    // A registration that failed wrote nothing; the next write may try again.
    if (!ownership.ok) taken = undefined;
    return ownership;
  }

  return {
    journal: {
      async transact<Request extends JournalRequest>(
        request: Request,
        options: { readonly deadlineMs: number },
      ) {
        if (!ended) {
          const owned = await ensure();
          if (!owned.ok) return failWith({ certainty: "definite", failure: owned.failure });
        }
        return scope.journal.transact(request, options);
      },
      query: (query) => scope.journal.query(query),
      close: () => scope.journal.close(),
    },
    async release() {
      ended = true;
      const ownership = await taken;
      if (ownership?.ok === true) await ownership.value.release();
    },
  };
}
