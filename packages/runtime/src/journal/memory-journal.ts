import type { JournalQuery, JournalRequest, JournalView } from "@connectors/domain";
import { fail, failWith, makeFailure, succeed, type Outcome } from "@connectors/sdk";
import type { AnswerOf, Journal, JournalFailure, OwnerLocks } from "./journal.js";
import { journalLimits, type JournalLimits } from "./limits.js";
import { makeJournalMachine } from "./machine.js";
import { dropMemoryLocks, makeMemoryLocks, type MemoryLockTable } from "./memory-locks.js";
import { readView } from "./memory-query.js";
import { applyWrites, loadRows, makeMemoryTables, type MemoryTables } from "./memory-tables.js";

/** A ledger that lives as long as this reference; each open of it is one process's. */
export interface MemoryLedger {
  readonly tables: MemoryTables;
  readonly locks: MemoryLockTable;
}

/** One process's way to a ledger in memory. */
export interface MemoryJournal {
  readonly journal: Journal;
  readonly locks: OwnerLocks;
  /** Ends it as the end of a process would: locks fall free, nothing is released or answered. */
  end(): void;
}

/** An empty ledger. */
export function makeMemoryLedger(): MemoryLedger {
  return { tables: makeMemoryTables(), locks: new Map() };
}

/**
 * A journal that keeps every promise of the port but surviving the end of this program.
 *
 * Opens of one ledger see each other's writes, as processes that share a store do. Rows are frozen
 * copies: neither a caller's object nor an answer can change what is kept.
 */
export function openMemoryJournal(
  options: { readonly ledger?: MemoryLedger; readonly limits?: JournalLimits } = {},
): MemoryJournal {
  const { tables, locks } = options.ledger ?? makeMemoryLedger();
  const machine = makeJournalMachine(options.limits ?? journalLimits);
  const holder = Symbol("process");
  let open = true;

  const journal: Journal = {
    transact<Request extends JournalRequest>(
      request: Request,
      { deadlineMs }: { readonly deadlineMs: number },
    ): Promise<Outcome<AnswerOf<Request["kind"]>, JournalFailure>> {
      if (!open) return Promise.resolve(refuseDefinitely("unavailable", "The ledger is closed."));
      if (deadlineMs <= 0) {
        return Promise.resolve(
          refuseDefinitely("timeout", "The deadline passed before the ledger."),
        );
      }
      // One turn of the event loop decides and applies: no two requests can interleave.
      const kept = freezeDeep(structuredClone<JournalRequest>(request));
      const { answer, writes } = machine.decide(kept, loadRows(tables, machine.rowsNeeded(kept)));
      if (!applyWrites(tables, freezeDeep(writes))) {
        return Promise.resolve(refuseDefinitely("internal", "The ledger has such a row already."));
      }
      // The machine answers each kind of request with the kinds that AnswerOf lists for it.
      return Promise.resolve(succeed(answer as AnswerOf<Request["kind"]>));
    },
    query<Query extends JournalQuery>(
      query: Query,
    ): Promise<Outcome<Extract<JournalView, { kind: Query["kind"] }>>> {
      if (!open) return Promise.resolve(fail("unavailable", "The ledger is closed."));
      const view = readView(tables, query);
      // A read is answered by the view of its own kind.
      return Promise.resolve(view as Outcome<Extract<JournalView, { kind: Query["kind"] }>>);
    },
    close() {
      open = false;
      return Promise.resolve();
    },
  };
  return {
    journal,
    locks: makeMemoryLocks(locks, holder, (nonce) => tables.owners.get(nonce)?.state === "live"),
    end() {
      open = false;
      dropMemoryLocks(locks, holder);
    },
  };
}

function refuseDefinitely(
  code: "unavailable" | "timeout" | "internal",
  message: string,
): { readonly ok: false; readonly failure: JournalFailure } {
  return failWith({ certainty: "definite", failure: makeFailure(code, message) });
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freezeDeep(member);
  return Object.freeze(value);
}
