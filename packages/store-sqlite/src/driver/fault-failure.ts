import { makeFailure, type Failure } from "@connectors/sdk";
import type { SqlFault } from "./sql-fault.js";

/** The failure that a caller sees for a fault; SQLite's code is in it, and no value of any row. */
export function describeFault(fault: SqlFault): Failure {
  switch (fault.kind) {
    case "busy":
      return makeFailure("unavailable", "the ledger is being written by another process");
    case "full":
      return makeFailure("capacity", "the ledger's disk is full", {
        hint: "Free space where the state directory lies, then try again.",
      });
    case "io":
      return unusable(`the ledger's disk failed (${fault.code})`, checkDisk);
    case "corrupt":
      return unusable(`the ledger is damaged (${fault.code})`, keepCopy);
    case "cannot_open":
    case "read_only":
      return unusable(`the ledger cannot be opened for writing (${fault.code})`, checkAccess);
    case "constraint":
    case "other":
      return makeFailure("internal", `the ledger refused a statement (${fault.code})`);
  }
}

/** The failure of a store whose rows cannot all be true. */
export function describeDamage(what: string): Failure {
  return unusable(`the ledger is damaged: ${what}`, keepCopy);
}

const checkDisk =
  "Check the disk, then run the command again: a fresh open recovers what is there.";
const checkAccess =
  "Check that the state directory is yours and writable; see `connectors doctor`.";
const keepCopy =
  "Stop every process that uses it, keep a copy of the state directory, and restore a backup.";

function unusable(message: string, hint: string): Failure {
  return makeFailure("unavailable", message, { retry: "after_check", hint });
}
