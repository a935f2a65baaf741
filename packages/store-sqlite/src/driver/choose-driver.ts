import { fail, succeed, type Outcome } from "@connectors/sdk";
import { makeBetterSqliteDriver } from "./better-sqlite.js";
import { makeNodeSqliteDriver } from "./node-sqlite.js";
import type { SqlDriver, SqlDriverName } from "./sql-driver.js";

const makers: Readonly<Record<SqlDriverName, () => SqlDriver | undefined>> = {
  "node:sqlite": makeNodeSqliteDriver,
  "better-sqlite3": makeBetterSqliteDriver,
};

/**
 * The driver that this Node can load: its own SQLite where it has one, else better-sqlite3, or
 * the one that is named. `unavailable` when there is none.
 */
export function chooseDriver(name?: SqlDriverName): Outcome<SqlDriver> {
  const names: readonly SqlDriverName[] =
    name === undefined ? ["node:sqlite", "better-sqlite3"] : [name];
  for (const candidate of names) {
    const driver = makers[candidate]();
    if (driver !== undefined) return succeed(driver);
  }
  return fail("unavailable", `no SQLite here: ${names.join(" and ")} cannot be loaded`, {
    retry: "after_check",
    hint: "Use Node 22.15 or newer, or install better-sqlite3 for this Node.",
  });
}
