import { groupCommitMax, type JournalQuery } from "@connectors/domain";
import type { ReadResult, TransactionResult } from "../ledger/ledger.js";

/** A transaction that waits for the ledger's thread. */
export interface WaitingTransaction {
  readonly kind: "transaction";
  /** JSON text of a `JournalRequest`. */
  readonly request: string;
  /** When its caller's patience ends, on the monotonic clock. */
  readonly dueMs: number;
  /** Since when another process's write is in its way; undefined while none is. */
  busySinceMs: number | undefined;
  readonly settle: (result: TransactionResult) => void;
}

/** A read that waits for the ledger's thread. */
export interface WaitingRead {
  readonly kind: "read";
  readonly query: JournalQuery;
  busySinceMs: number | undefined;
  readonly settle: (view: Extract<ReadResult, { kind: "done" }>["view"]) => void;
}

export type Waiting = WaitingTransaction | WaitingRead;

/** What waits, in the order in which it came. */
export interface WaitingLine {
  readonly length: number;
  readonly hasReads: boolean;
  push(entry: Waiting): void;
  /** Puts back, at the front and in order, what was taken and not done. */
  putBack(entries: readonly Waiting[]): void;
  /**
   * Takes the longest start of the line that is one group: every read in it came before its last
   * transaction or before the next one, and so may be answered after the group.
   */
  takeBatch(): readonly Waiting[];
  /** Takes the reads and leaves the transactions. */
  takeReads(): readonly WaitingRead[];
  /** Takes every entry that this is true of. */
  takeWhere(matches: (entry: Waiting) => boolean): readonly Waiting[];
  /** When the first transaction in the line runs out of patience. */
  earliestDueMs(): number | undefined;
}

/** An empty line. */
export function makeWaitingLine(): WaitingLine {
  let line: Waiting[] = [];

  function takeWhere(matches: (entry: Waiting) => boolean): readonly Waiting[] {
    const taken = line.filter((entry) => matches(entry));
    if (taken.length > 0) line = line.filter((entry) => !matches(entry));
    return taken;
  }

  return {
    get length() {
      return line.length;
    },
    get hasReads() {
      return line.some(isRead);
    },
    push: (entry) => {
      line.push(entry);
    },
    putBack: (entries) => {
      line = [...entries, ...line];
    },
    takeBatch: () => {
      let transactions = 0;
      let end = 0;
      for (const entry of line) {
        if (entry.kind === "transaction" && (transactions += 1) > groupCommitMax) break;
        end += 1;
      }
      return line.splice(0, end);
    },
    takeReads: () => takeWhere(isRead).filter(isRead),
    takeWhere,
    earliestDueMs: () => {
      let earliest: number | undefined;
      for (const entry of line) {
        if (entry.kind === "transaction" && (earliest === undefined || entry.dueMs < earliest)) {
          earliest = entry.dueMs;
        }
      }
      return earliest;
    },
  };
}

function isRead(entry: Waiting): entry is WaitingRead {
  return entry.kind === "read";
}
