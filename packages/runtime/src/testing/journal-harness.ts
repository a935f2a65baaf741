import type { Journal, OwnerLocks } from "../journal/journal.js";
import type { JournalLimits } from "../journal/limits.js";

/** One process's way to the store under test. */
export interface JournalProcess {
  readonly journal: Journal;
  readonly locks: OwnerLocks;
}

/** How a COMMIT can go wrong. */
export type CommitFault =
  /** It failed and was rolled back: nothing happened, and that is known. */
  | "rolled_back"
  /** It was lost and nothing was written, which the process cannot know. */
  | "lost"
  /** It was written, and its acknowledgement was lost. */
  | "unacknowledged";

/** A fresh store, and what its contract suite may do to it. One harness serves one case. */
export interface JournalHarness {
  /** Opens the store once more, as another process would. */
  open(options?: { readonly limits?: JournalLimits }): Promise<JournalProcess>;
  /** Ends a process as SIGKILL would: nothing is released, closed or answered. */
  kill(process: JournalProcess): Promise<void>;
  /** Makes the next COMMIT of this process fail. */
  failNextCommit(process: JournalProcess, fault: CommitFault): void;
}
