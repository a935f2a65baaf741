import { failWith, makeFailure, succeed, type Failure, type Outcome } from "@connectors/sdk";
import { describeFault } from "../driver/fault-failure.js";
import type { SqlConnection, SqlDriver } from "../driver/sql-driver.js";
import { readSqlFault } from "../driver/sql-fault.js";
import { checkPrivateFile, narrowFile, refuse, type PrivateFile } from "../files/private-files.js";
import { ledgerName, type StorePaths } from "../files/store-paths.js";
import { isCurrent, migrate } from "./migrate.js";

export interface LedgerFileOptions {
  readonly driver: SqlDriver;
  readonly paths: StorePaths;
  /** Whether a store may be made here; otherwise a missing one is a failure. */
  readonly create: boolean;
  readonly nowMs: number;
}

/** An open ledger; `busy` while another process makes, recovers or checkpoints it. */
export type LedgerOpening =
  | { readonly kind: "open"; readonly connection: SqlConnection }
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly failure: Failure };

/** The frames after which SQLite folds the log into the database: 16 MiB of pages. */
const checkpointFrames = 4096;

// `fullfsync` is what makes a flush reach the platter on macOS; elsewhere it means nothing.
const settings = `
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
`;

/**
 * The ledger's one connection, in WAL with synchronous FULL, at this version's shape.
 *
 * Both settings are asserted: builds of SQLite differ in what they default to, and without FULL an
 * acknowledged commit may be gone after a power loss.
 */
export function openLedgerFile(options: LedgerFileOptions): LedgerOpening {
  const found = checkFiles(options);
  if (!found.ok) return { kind: "refused", failure: found.failure };
  let connection: SqlConnection | undefined;
  try {
    connection = options.driver.open(options.paths.ledger, options.create ? "create" : "existing");
    if (found.value !== "filled") narrowFile(options.paths.ledger);
    const prepared = prepareConnection(connection, options);
    if (prepared.ok) return { kind: "open", connection };
    connection.close();
    return { kind: "refused", failure: prepared.failure };
  } catch (error) {
    connection?.close();
    const fault = readSqlFault(error);
    if (fault === undefined) throw error;
    if (fault.kind === "busy") return { kind: "busy" };
    // Whatever else SQLite says of a file that cannot be set up: it is no ledger that we can use.
    const read = fault.kind === "other" || fault.kind === "constraint";
    return {
      kind: "refused",
      failure: describeFault(read ? { ...fault, kind: "corrupt" } : fault),
    };
  }
}

function checkFiles({ paths, create }: LedgerFileOptions): Outcome<PrivateFile> {
  // The log before the database: whoever makes a store fills the database first.
  let logFound = false;
  for (const { path, name } of paths.sidecars) {
    const sidecar = checkPrivateFile(path, name);
    if (!sidecar.ok) return sidecar;
    logFound ||= path === paths.log && sidecar.value === "filled";
  }
  const ledger = checkPrivateFile(paths.ledger, ledgerName);
  if (!ledger.ok || ledger.value === "filled") return ledger;
  if (logFound) {
    // SQLite would drop the log of an empty database, and with it what was acknowledged.
    return refuse("ledger.db is gone and its log is not", "Restore the state directory.");
  }
  if (create) return ledger;
  return ledger.value === "empty"
    ? refuse("ledger.db is empty where one was made", "Restore it from a backup.")
    : refuse("there is no ledger in the state directory", "Make one with `connectors init`.");
}

function prepareConnection(connection: SqlConnection, options: LedgerFileOptions): Outcome<void> {
  const mode = connection.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
  connection.exec(settings);
  connection.prepare(`PRAGMA wal_autocheckpoint = ${checkpointFrames}`).get();
  const synchronous = connection.prepare("PRAGMA synchronous").get()?.["synchronous"];
  const foreignKeys = connection.prepare("PRAGMA foreign_keys").get()?.["foreign_keys"];
  if (mode !== "wal" || synchronous !== 2 || foreignKeys !== 1) {
    return failWith(
      makeFailure("unavailable", "SQLite does not keep a write-ahead log here, or not durably", {
        retry: "after_check",
        hint: "Keep the state directory on a local disk, not on a network file system.",
      }),
    );
  }
  return isCurrent(connection) ? succeed(undefined) : migrateFile(connection, options);
}

function migrateFile(connection: SqlConnection, options: LedgerFileOptions): Outcome<void> {
  connection.exec("BEGIN IMMEDIATE");
  const migrated = migrate(connection, options.create, options.nowMs);
  connection.exec(migrated.ok ? "COMMIT" : "ROLLBACK");
  return migrated;
}
