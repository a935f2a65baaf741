import {
  pageMax,
  type JournalAnswer,
  type JournalQuery,
  type JournalRequest,
  type JournalView,
} from "@connectors/domain";
import type { JournalFailure, JournalMachine } from "@connectors/runtime";
import { failWith, makeFailure, succeed, type Failure, type Outcome } from "@connectors/sdk";
import { describeDamage, describeFault } from "../driver/fault-failure.js";
import type { SqlConnection } from "../driver/sql-driver.js";
import { readSqlFault } from "../driver/sql-fault.js";
import { makeGroupCommit } from "./commit-group.js";
import { readView } from "./read-view.js";
import { BrokenRow } from "./row-text.js";
import { makeStatements } from "./statements.js";

/** What one transaction of a group came to. */
export type TransactionResult = Outcome<JournalAnswer, JournalFailure>;

/** `busy` when another process is writing: nothing was tried, the same group may come again. */
export type GroupResult =
  | { readonly kind: "busy" }
  | { readonly kind: "done"; readonly results: readonly TransactionResult[] };

/** `busy` when another process recovers the log at this moment. */
export type ReadResult =
  | { readonly kind: "busy" }
  | { readonly kind: "done"; readonly view: Outcome<JournalView> };

/** The store as one thread sees it: synchronous, on one connection, never waiting for a lock. */
export interface Ledger {
  /** Runs requests in order in one durable transaction; each is all or nothing by itself. */
  commit(requests: readonly JournalRequest[]): GroupResult;
  read(query: JournalQuery): ReadResult;
  close(): void;
}

/** A ledger on an open file; it owns the connection. */
export function makeLedger(connection: SqlConnection, machine: JournalMachine): Ledger {
  const statements = makeStatements(connection);
  const commitGroup = makeGroupCommit(statements, machine);
  let poisoned = false;

  return {
    commit(requests) {
      if (poisoned) return fillGroup(requests, refusePoisoned());
      const outcome = commitGroup(requests);
      if (outcome.kind !== "failed") return outcome;
      if (outcome.failure.certainty === "ambiguous") poisoned = true;
      return fillGroup(requests, failWith(outcome.failure));
    },
    read(query) {
      if ("limit" in query && !isPageSize(query.limit)) {
        return refuseRead(makeFailure("invalid_input", `a page has 1 to ${pageMax} rows`));
      }
      try {
        statements("beginRead").run();
        try {
          return { kind: "done", view: succeed(readView(statements, query, poisoned)) };
        } finally {
          statements("rollback").run();
        }
      } catch (error) {
        return explainRead(error);
      }
    },
    close: () => connection.close(),
  };
}

function isPageSize(limit: number): boolean {
  return Number.isSafeInteger(limit) && limit >= 1 && limit <= pageMax;
}

function fillGroup(requests: readonly JournalRequest[], result: TransactionResult): GroupResult {
  return { kind: "done", results: requests.map(() => result) };
}

// Nothing was tried, so nothing of it can be durable: whoever waits for the gate knows that it
// stayed shut.
function refusePoisoned(): TransactionResult {
  return failWith({
    certainty: "definite",
    failure: makeFailure("unavailable", "the ledger failed in this process and takes no writes", {
      retry: "after_check",
      hint: "Run the command again: a fresh open recovers what is there.",
    }),
  });
}

function explainRead(error: unknown): ReadResult {
  if (error instanceof BrokenRow) return refuseRead(describeDamage(error.message));
  const fault = readSqlFault(error);
  if (fault === undefined) throw error;
  return fault.kind === "busy" ? { kind: "busy" } : refuseRead(describeFault(fault));
}

function refuseRead(failure: Failure): ReadResult {
  return { kind: "done", view: failWith(failure) };
}
