import type { SqlConnection, SqlDriver } from "../driver/sql-driver.js";
import { readSqlFault } from "../driver/sql-fault.js";

/** A lock that this process holds until it closes it, or ends. */
export interface HeldLock {
  close(): void;
}

/**
 * Every lock of this process. A connection that nothing refers to is closed by the garbage
 * collector, and its lock goes with it; seen with both drivers.
 */
const held = new Set<SqlConnection>();

/** What came of taking a lock. `failed` tells nothing of any owner. */
export type LockAttempt = HeldLock | "busy" | "missing" | "failed";

/**
 * Takes `BEGIN EXCLUSIVE` on a lock file, without waiting. `existing` never makes the file: one
 * that was removed would come back free, and prove a live owner dead.
 */
export function takeLock(
  driver: SqlDriver,
  path: string,
  mode: "create" | "existing",
): LockAttempt {
  let connection: SqlConnection | undefined;
  try {
    connection = driver.open(path, mode);
    connection.exec("BEGIN EXCLUSIVE");
    return keep(connection);
  } catch (error) {
    connection?.close();
    const fault = readSqlFault(error);
    if (fault === undefined) throw error;
    if (fault.kind === "busy") return "busy";
    return fault.kind === "cannot_open" ? "missing" : "failed";
  }
}

function keep(connection: SqlConnection): HeldLock {
  held.add(connection);
  return {
    close: () => {
      held.delete(connection);
      connection.close();
    },
  };
}
