/** What is kept in a column; no integer beyond 2^53, and no text that holds a NUL. */
export type SqlValue = string | number | null;

/** One row, by column name. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A compiled statement; parameters are positional. Throws what `readSqlFault` understands. */
export interface SqlStatement {
  /** How many rows it changed. */
  run(...values: readonly SqlValue[]): number;
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): readonly SqlRow[];
}

/** One open database file. Never waits for a lock: a busy file is answered at once. */
export interface SqlConnection {
  /** Runs one or more statements that answer nothing. */
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  /** Closes, and rolls back what is open. Idempotent. */
  close(): void;
}

export type SqlDriverName = "node:sqlite" | "better-sqlite3";

/**
 * SQLite as this package uses it: synchronous, one connection a call.
 *
 * `create` makes a file that is missing, `existing` refuses to (`cannot_open`): a lock file that
 * was removed must not come back because somebody looked at it.
 */
export interface SqlDriver {
  readonly name: SqlDriverName;
  /** `path` is absolute. */
  open(path: string, mode: "create" | "existing"): SqlConnection;
}
