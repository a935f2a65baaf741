import { journalQueueMax } from "@connectors/domain";
import type { JournalFailure } from "@connectors/runtime";
import { makeFailure, type Failure } from "@connectors/sdk";

// Every one of these says that nothing was tried, except `lostThread`.

/** Too much waits already. */
export const queueFull: JournalFailure = definite(
  makeFailure("capacity", `${journalQueueMax} requests wait for the ledger`, { retry: "safe" }),
);

/** The caller's patience ended while the request waited. */
export const deadlinePassed: JournalFailure = definite(
  makeFailure("timeout", "the deadline passed while the request waited for the ledger"),
);

/** Another process wrote for longer than is waited for. */
export const heldTooLong: JournalFailure = definite(
  makeFailure("unavailable", "another process holds the ledger", {
    hint: "See which with `connectors doctor`, then try again.",
  }),
);

/** The journal was closed. */
export const closed: JournalFailure = definite(makeFailure("unavailable", "the ledger is closed"));

/** The ledger's thread ended earlier. */
export const noThread: JournalFailure = definite(
  makeFailure("unavailable", "the ledger's thread has ended and takes no more requests", {
    retry: "after_check",
    hint: "Run the command again: a fresh open recovers what is there.",
  }),
);

/** The ledger's thread ended under the request: it may be durable. */
export const lostThread: JournalFailure = { certainty: "ambiguous", failure: noThread.failure };

function definite(failure: Failure): JournalFailure {
  return { certainty: "definite", failure };
}
