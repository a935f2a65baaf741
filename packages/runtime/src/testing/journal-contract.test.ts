import { describe, test } from "vitest";
import {
  makeMemoryLedger,
  openMemoryJournal,
  type MemoryJournal,
} from "../journal/memory-journal.js";
import { journalContract } from "./journal-contract.js";
import { makeFaultyJournal, type FaultyJournal } from "./journal-faults.js";
import type { JournalHarness, JournalProcess } from "./journal-harness.js";

function makeMemoryHarness(): JournalHarness {
  const ledger = makeMemoryLedger();
  const processes = new Map<
    JournalProcess,
    { readonly opened: MemoryJournal; readonly faulty: FaultyJournal }
  >();
  return {
    open(options = {}) {
      const opened = openMemoryJournal({ ledger, ...options });
      const faulty = makeFaultyJournal(opened.journal);
      const process = { journal: faulty.journal, locks: opened.locks };
      processes.set(process, { opened, faulty });
      return Promise.resolve(process);
    },
    kill(process) {
      processes.get(process)?.opened.end();
      return Promise.resolve();
    },
    failNextCommit(process, fault) {
      processes.get(process)?.faulty.failNextCommit(fault);
    },
  };
}

describe("the ledger in memory", () => {
  for (const promise of journalContract) {
    test(promise.name, () => promise.run(makeMemoryHarness()));
  }
});
