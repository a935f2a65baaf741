import { fail, sha256Hex, succeed, type Failure, type Outcome } from "@connectors/sdk";
import type { SqlConnection } from "../driver/sql-driver.js";
import { migrations, type Migration } from "./migrations.js";

/** Marks a database as a ledger of ours: "clgr", in SQLite's header. */
const applicationId = 0x636c6772;

/** Whether the store has this version's shape, and was brought to it by our steps. */
export function isCurrent(connection: SqlConnection): boolean {
  const version = readVersion(connection);
  return version === migrations.length && recognise(connection, version).ok;
}

/**
 * Brings the store to this version's shape, inside the caller's transaction.
 *
 * `unavailable` when the file is another program's, was written by a newer version, or was made by
 * steps that differ from ours; nothing is changed then. An empty database is filled when `create`
 * says so, and otherwise is a store that lost its content.
 */
export function migrate(connection: SqlConnection, create: boolean, nowMs: number): Outcome<void> {
  const version = readVersion(connection);
  const fresh = version === 0 && readNumber(connection, countObjects, "n") === 0;
  if (fresh && !create) {
    return refuse("the ledger is empty where one was made", "Restore it from a backup.");
  }
  const recognised = fresh ? succeed(undefined) : recognise(connection, version);
  if (!recognised.ok) return recognised;
  if (fresh) makeFoundation(connection);
  for (const migration of migrations) {
    if (migration.ordinal > version) applyOne(connection, migration, nowMs);
  }
  return succeed(undefined);
}

const countObjects = "SELECT count(*) AS n FROM sqlite_schema";

function readVersion(connection: SqlConnection): number {
  return readNumber(connection, "PRAGMA user_version", "user_version");
}

function recognise(connection: SqlConnection, version: number): Outcome<void> {
  const id = readNumber(connection, "PRAGMA application_id", "application_id");
  if (id !== applicationId) {
    return refuse("ledger.db is not a ledger", "Use another state directory, or restore a backup.");
  }
  if (version > migrations.length) {
    return refuse(
      `the ledger has format ${version}, this version knows ${migrations.length}`,
      "Use the newer version of connectors that wrote it.",
    );
  }
  const applied = connection
    .prepare("SELECT ordinal, sha256 FROM migrations ORDER BY ordinal")
    .all();
  const agree =
    applied.length === version &&
    migrations
      .slice(0, version)
      .every((migration, at) => applied[at]?.["sha256"] === checksum(migration));
  return agree
    ? succeed(undefined)
    : refuse("the ledger was made by other steps than ours", "Restore it from a backup.");
}

function makeFoundation(connection: SqlConnection): void {
  connection.exec(`PRAGMA application_id = ${applicationId};
    CREATE TABLE migrations (
      ordinal INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, at_ms INTEGER NOT NULL
    ) STRICT`);
}

function applyOne(connection: SqlConnection, migration: Migration, nowMs: number): void {
  connection.exec(migration.sql);
  connection
    .prepare("INSERT INTO migrations VALUES (?, ?, ?)")
    .run(migration.ordinal, checksum(migration), nowMs);
  connection.exec(`PRAGMA user_version = ${migration.ordinal}`);
}

function checksum(migration: Migration): string {
  return sha256Hex(migration.sql);
}

function readNumber(connection: SqlConnection, sql: string, column: string): number {
  const value = connection.prepare(sql).get()?.[column];
  return typeof value === "number" ? value : -1;
}

function refuse(message: string, hint: string): { readonly ok: false; readonly failure: Failure } {
  return fail("unavailable", message, { retry: "after_check", hint });
}
