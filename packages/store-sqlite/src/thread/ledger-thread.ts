import type { JournalQuery, JournalRequest } from "@connectors/domain";
import type { GroupResult, Ledger, ReadResult } from "../ledger/ledger.js";

/**
 * What is handed to the ledger's thread at once: reads are answered after the transactions.
 *
 * Requests are JSON text. It is made when a caller asks, so that nothing the caller does to its
 * object afterwards reaches the store, and between threads it is cheaper than an object.
 */
export interface Batch {
  readonly requests: readonly string[];
  readonly queries: readonly JournalQuery[];
}

/** One result for each request and query. */
export interface BatchResult {
  readonly group: GroupResult;
  readonly reads: readonly ReadResult[];
}

/** Where the ledger runs. One batch at a time; the next is sent when the last has answered. */
export interface LedgerThread {
  /** `lost` when the thread ended under the batch: nobody knows what of it is durable. */
  run(batch: Batch): Promise<BatchResult | "lost">;
  /** Closes the ledger and ends the thread. */
  close(): Promise<void>;
}

/** Runs a batch on an open ledger; the answer is JSON text of a `BatchResult`. */
export function runBatch(ledger: Ledger, { requests, queries }: Batch): string {
  const result: BatchResult = {
    group:
      requests.length === 0
        ? { kind: "done", results: [] }
        : ledger.commit(requests.map(decodeRequest)),
    reads: queries.map((query) => ledger.read(query)),
  };
  return JSON.stringify(result);
}

/** What `runBatch` answered. */
export function decodeResult(text: string): BatchResult {
  // Our own text of a moment ago, from our own thread.
  return JSON.parse(text) as BatchResult;
}

function decodeRequest(text: string): JournalRequest {
  return JSON.parse(text) as JournalRequest;
}
