import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  journalContract,
  makeFaultyJournal,
  type FaultyJournal,
  type JournalHarness,
  type JournalProcess,
} from "@connectors/runtime/testing";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { afterAll, beforeAll, describe, test } from "vitest";
import { bundleProgram, type BundledProgram } from "../programs/bundle-program.js";

let program: BundledProgram;

beforeAll(async () => {
  program = await bundleProgram(join(import.meta.dirname, "holder.ts"));
});

afterAll(() => program.remove());

/**
 * Opens of one store in one process, each with a worker of its own. Nothing can end a part of a
 * process as SIGKILL ends it all, so cases that ask for it run in `testing/crash`.
 */
function makeWorkerHarness(directory: string): JournalHarness & { end(): Promise<void> } {
  const opened = new Map<JournalProcess, FaultyJournal>();
  return {
    open: async ({ limits } = {}) => {
      const store = await openSqliteJournal({
        directory,
        workerUrl: program.workerUrl,
        ...(limits === undefined ? {} : { limits }),
      });
      if (!store.ok) throw new Error(store.failure.message);
      const faulty = makeFaultyJournal(store.value.journal);
      const process = { journal: faulty.journal, locks: store.value.locks };
      opened.set(process, faulty);
      return process;
    },
    kill: async (process) => process.journal.close(),
    failNextCommit: (process, fault) => opened.get(process)?.failNextCommit(fault),
    end: async () => {
      for (const { journal } of opened.values()) await journal.close();
    },
  };
}

// Requests, answers and failures cross to the thread and back in every one of these; the rest of
// the contract is about decisions, which every thread makes alike.
const crossing = journalContract.filter(({ name }) =>
  /at once|acknowledged|closed journal|rolled back|commit that was|fingerprint|page|evidence/.test(
    name,
  ),
);

describe("the ledger on its own thread", () => {
  for (const promise of crossing) {
    test(promise.name, async () => {
      const directory = mkdtempSync(join(tmpdir(), "connectors-worker-"));
      mkdirSync(join(directory, "state"), { mode: 0o700 });
      const harness = makeWorkerHarness(join(directory, "state"));
      try {
        await promise.run(harness);
      } finally {
        await harness.end();
        rmSync(directory, { recursive: true, force: true });
      }
    });
  }
});
