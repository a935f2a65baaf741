import type { Ledger } from "../ledger/ledger.js";
import { decodeResult, runBatch, type LedgerThread } from "./ledger-thread.js";

/**
 * The ledger on the thread that calls: no worker to start, and each flush holds up everything else
 * of the process. For a command that writes once and ends.
 */
export function makeCallerThread(ledger: Ledger): LedgerThread {
  return {
    run: async (batch) => decodeResult(runBatch(ledger, batch)),
    close: async () => ledger.close(),
  };
}
