import { journalBusyMsMax, parseOwner } from "@connectors/domain";
import { failWith, invariant, succeed, type Outcome } from "@connectors/sdk";
import { trusted } from "../identity/trusted.js";
import { toTimeMs } from "../journal/measure.js";
import { describeJournalFailure, describeRefusal } from "../write/journal-refusal.js";
import { hostDraft, type HostScope } from "./host-scope.js";

/** What registering a process takes; the journal is the store's own. */
export type OwnershipScope = Pick<HostScope, "journal" | "locks" | "ambient" | "owner" | "caller">;

/** This process as an owner of attempts: its lock is held, its row says that it lives. */
export interface Ownership {
  /** Ends it in order: the row first, the lock last. Idempotent. */
  release(): Promise<void>;
}

/**
 * Registers this process. The lock is taken before the row is written: a row without a lock would
 * be a process that nobody could ever prove alive.
 */
export async function takeOwnership(
  scope: OwnershipScope,
  pid: number,
): Promise<Outcome<Ownership>> {
  const lock = await scope.locks.hold(scope.owner);
  if (!lock.ok) return lock;
  const owner = {
    nonce: scope.owner,
    state: "live",
    pid,
    opened_at_ms: scope.ambient.clock.nowMs(),
    closed_at_ms: null,
  };
  const opened = await scope.journal.transact(
    {
      kind: "open_owner",
      owner: trusted(parseOwner(owner), "an owner fits its model"),
      draft: hostDraft(scope, "owner"),
    },
    { deadlineMs: journalBusyMsMax },
  );
  if (opened.ok && opened.value.kind === "done") {
    return succeed({ release: makeRelease(scope, lock.value) });
  }
  await lock.value.release();
  if (!opened.ok) return failWith(describeJournalFailure(opened.failure));
  invariant(opened.value.kind === "refused", "a registration is done or refused");
  return failWith(describeRefusal(opened.value));
}

function makeRelease(
  scope: OwnershipScope,
  lock: { release(): Promise<void> },
): Ownership["release"] {
  let released: Promise<void> | undefined;
  async function releaseOnce(): Promise<void> {
    // Refused while an attempt is open: then the row stays live, and without its lock the next
    // process proves this one dead and closes what it left.
    await scope.journal.transact(
      {
        kind: "release_owner",
        nonce: scope.owner,
        now_ms: toTimeMs(scope.ambient.clock.nowMs()),
        draft: hostDraft(scope, "owner"),
      },
      { deadlineMs: journalBusyMsMax },
    );
    await lock.release();
  }
  return () => (released ??= releaseOnce());
}
