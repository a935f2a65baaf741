import { isAbsolute } from "node:path";
import { journalBusyMsMax } from "@connectors/domain";
import {
  journalLimits,
  type Journal,
  type JournalLimits,
  type OwnerLocks,
} from "@connectors/runtime";
import { fail, failWith, succeed, type Ambient, type Outcome } from "@connectors/sdk";
import { chooseDriver } from "./driver/choose-driver.js";
import type { SqlDriverName } from "./driver/sql-driver.js";
import { ensurePrivateDirectory } from "./files/private-files.js";
import { makeStorePaths, ownersName } from "./files/store-paths.js";
import { makeOwnerLocks } from "./locks/owner-locks.js";
import { tidyLocks } from "./locks/tidy-locks.js";
import { makeBackoff } from "./queue/backoff.js";
import { makeJournalQueue } from "./queue/journal-queue.js";
import { makeQueuedJournal } from "./queue/queued-journal.js";
import { systemAmbient } from "./system-ambient.js";
import { makeCallerThread } from "./thread/caller-thread.js";
import type { LedgerThread } from "./thread/ledger-thread.js";
import { openLedger } from "./thread/open-ledger.js";
import type { LedgerSettings } from "./thread/thread-messages.js";
import { startLedgerWorker } from "./thread/worker-thread.js";

/** How a store is opened. */
export interface SqliteJournalOptions {
  /** The state directory, absolute; it and its files are this user's alone. */
  readonly directory: string;
  /** Whether a store is made where there is none; otherwise that is `unavailable`. True unless said. */
  readonly create?: boolean;
  /**
   * `worker` unless said: no flush of the disk holds up this process. `caller` saves a command that
   * writes once the start of a thread, and blocks for as long as the disk takes.
   */
  readonly thread?: "worker" | "caller";
  /** Where the worker's program lies, for a bundle that moved it. */
  readonly workerUrl?: URL;
  /** The driver to use; unless said, Node's own where it has one, else better-sqlite3. */
  readonly driver?: SqlDriverName;
  /** Time and chance; the machine's own unless said. */
  readonly ambient?: Ambient;
  /** The modelled limits unless said; tests use smaller ones. */
  readonly limits?: JournalLimits;
}

/** A ledger on disk, and its owners' locks. */
export interface SqliteJournal {
  readonly journal: Journal;
  readonly locks: OwnerLocks;
}

/**
 * An open ledger, in WAL with synchronous FULL: what it acknowledges is there after any crash.
 *
 * The caller closes it. `unavailable` when the directory or a file is wider than its owner, another
 * program's, damaged, of a newer format, or held too long by another process; `capacity` when the
 * disk is full.
 */
export async function openSqliteJournal(
  options: SqliteJournalOptions,
): Promise<Outcome<SqliteJournal>> {
  const { directory } = options;
  if (!isAbsolute(directory))
    return fail("invalid_input", "the state directory's path is absolute");
  const ambient = options.ambient ?? systemAmbient;
  const paths = makeStorePaths(directory);
  for (const [path, name] of [
    [directory, "the state directory"],
    [paths.owners, `its ${ownersName} directory`],
  ] as const) {
    const ensured = ensurePrivateDirectory(path, name);
    if (!ensured.ok) return ensured;
  }
  const driver = chooseDriver(options.driver);
  if (!driver.ok) return driver;
  const thread = await openThread(options, ambient, {
    driver: driver.value.name,
    paths,
    create: options.create ?? true,
    nowMs: ambient.clock.nowMs(),
    limits: options.limits ?? journalLimits,
  });
  if (!thread.ok) return thread;
  const journal = makeQueuedJournal(makeJournalQueue({ thread: thread.value, ambient, defer }));
  const lockOptions = { driver: driver.value, paths, journal, ambient };
  await tidyLocks(lockOptions);
  return succeed({ journal, locks: makeOwnerLocks(lockOptions) });
}

function defer(run: () => void): void {
  setImmediate(run);
}

async function openThread(
  options: SqliteJournalOptions,
  ambient: Ambient,
  settings: LedgerSettings,
): Promise<Outcome<LedgerThread>> {
  if (options.thread === "caller") {
    return waitWhileBusy(ambient, async () => {
      const opened = openLedger(settings);
      if (opened.kind === "busy") return "busy";
      return opened.kind === "open"
        ? succeed(makeCallerThread(opened.ledger))
        : failWith(opened.failure);
    });
  }
  const worker = startLedgerWorker(options.workerUrl ?? builtWorker());
  const thread = await waitWhileBusy(ambient, () => worker.open(settings));
  if (!thread.ok) await worker.end();
  return thread;
}

/** Another process that makes, recovers or checkpoints the file is done in a moment. */
async function waitWhileBusy(
  ambient: Ambient,
  open: () => Promise<Outcome<LedgerThread> | "busy">,
): Promise<Outcome<LedgerThread>> {
  const backoff = makeBackoff(ambient);
  const untilMs = ambient.clock.monotonicMs() + journalBusyMsMax;
  for (;;) {
    const opened = await open();
    if (opened !== "busy") return opened;
    if (ambient.clock.monotonicMs() >= untilMs) {
      return fail("unavailable", "another process holds the ledger", {
        hint: "See which with `connectors doctor`, then try again.",
      });
    }
    await new Promise<void>((resolve) => backoff.wait(resolve));
  }
}

/** Beside this module once built; a worker of Node 20 cannot load the source of one. */
function builtWorker(): URL {
  const fromSource = import.meta.url.endsWith(".ts");
  return new URL(fromSource ? "../dist/worker.js" : "./worker.js", import.meta.url);
}
