import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { journalLimits, makeJournalMachine, type JournalLimits } from "@connectors/runtime";
import type { JournalHarness, JournalProcess } from "@connectors/runtime/testing";
import { invariant } from "@connectors/sdk";
import type { SqlDriver } from "../driver/sql-driver.js";
import { makeStorePaths, type StorePaths } from "../files/store-paths.js";
import { makeLedger } from "../ledger/ledger.js";
import { makeOwnerLocks } from "../locks/owner-locks.js";
import { makeJournalQueue } from "../queue/journal-queue.js";
import { makeQueuedJournal } from "../queue/queued-journal.js";
import { openLedgerFile } from "../schema/open-ledger-file.js";
import { systemAmbient } from "../system-ambient.js";
import { makeCallerThread } from "../thread/caller-thread.js";
import { makeFaultyDriver, type FaultyDriver } from "./faulty-driver.js";

/** A process on the store, and the faults that its driver can have. */
export interface SqliteTestProcess extends JournalProcess {
  readonly faults: FaultyDriver;
}

/** Opens a store on the calling thread, with a driver that can fail and be dropped. */
export function openTestProcess(
  driver: SqlDriver,
  paths: StorePaths,
  limits: JournalLimits = journalLimits,
): SqliteTestProcess {
  const faults = makeFaultyDriver(driver);
  const opened = openLedgerFile({ driver: faults.driver, paths, create: true, nowMs: 0 });
  invariant(opened.kind === "open", `a test's store opens: ${JSON.stringify(opened)}`);
  const thread = makeCallerThread(makeLedger(opened.connection, makeJournalMachine(limits)));
  const queue = makeJournalQueue({ thread, ambient: systemAmbient, defer: queueMicrotask });
  const journal = makeQueuedJournal(queue);
  const locks = makeOwnerLocks({ driver: faults.driver, paths, journal, ambient: systemAmbient });
  return { journal, locks, faults };
}

/** The journal's contract harness over a store in this empty, private directory. */
export function makeSqliteHarness(
  driver: SqlDriver,
  directory: string,
): JournalHarness & { end(): void } {
  const paths = makeStorePaths(join(directory, "state"));
  mkdirSync(paths.owners, { recursive: true, mode: 0o700 });
  const processes = new Map<JournalProcess, SqliteTestProcess>();
  return {
    open: async ({ limits } = {}) => {
      const process = openTestProcess(driver, paths, limits);
      processes.set(process, process);
      return process;
    },
    kill: async (process) => processes.get(process)?.faults.drop(),
    failNextCommit: (process, fault) => processes.get(process)?.faults.failNextCommit(fault),
    end: () => {
      for (const { faults } of processes.values()) faults.drop();
    },
  };
}
