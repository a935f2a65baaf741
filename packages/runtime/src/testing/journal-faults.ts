import type { JournalQuery, JournalRequest, JournalView } from "@connectors/domain";
import { failWith, makeFailure, succeed, type Outcome } from "@connectors/sdk";
import type { AnswerOf, Journal, JournalFailure } from "../journal/journal.js";
import type { CommitFault } from "./journal-harness.js";

/** A journal whose next COMMIT can be made to fail. */
export interface FaultyJournal {
  readonly journal: Journal;
  failNextCommit(fault: CommitFault): void;
}

/**
 * The journal with faults at its COMMIT, told and kept to as the port says: a definite failure
 * changes nothing, an ambiguous one poisons this process's writes.
 */
export function makeFaultyJournal(inner: Journal): FaultyJournal {
  let next: CommitFault | undefined;
  let poisoned = false;

  const journal: Journal = {
    async transact<Request extends JournalRequest>(
      request: Request,
      options: { readonly deadlineMs: number },
    ): Promise<Outcome<AnswerOf<Request["kind"]>, JournalFailure>> {
      if (poisoned) return failCommit("definite");
      const fault = next;
      next = undefined;
      if (fault === undefined) return inner.transact(request, options);
      if (fault === "rolled_back") return failCommit("definite");
      poisoned = true;
      if (fault === "unacknowledged") await inner.transact(request, options);
      return failCommit("ambiguous");
    },
    async query<Query extends JournalQuery>(
      query: Query,
    ): Promise<Outcome<Extract<JournalView, { kind: Query["kind"] }>>> {
      const outcome = await inner.query(query);
      if (!outcome.ok) return outcome;
      const view: JournalView = outcome.value;
      if (view.kind !== "health") return outcome;
      const told = { ...view, health: { ...view.health, poisoned } };
      // The view is of the query's kind, as the inner one was.
      return succeed(told as Extract<JournalView, { kind: Query["kind"] }>);
    },
    close: () => inner.close(),
  };
  return {
    journal,
    failNextCommit(fault) {
      next = fault;
    },
  };
}

function failCommit(certainty: JournalFailure["certainty"]): {
  readonly ok: false;
  readonly failure: JournalFailure;
} {
  return failWith({ certainty, failure: makeFailure("unavailable", "The ledger did not commit.") });
}
