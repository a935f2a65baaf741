import { fail, failWith, succeed, type Outcome } from "@connectors/sdk";
import { chooseDriver } from "./driver/choose-driver.js";
import { describeFault } from "./driver/fault-failure.js";
import type { SqlConnection, SqlDriverName } from "./driver/sql-driver.js";
import { readSqlFault } from "./driver/sql-fault.js";
import { checkPrivateDirectory } from "./files/private-files.js";
import { makeStorePaths } from "./files/store-paths.js";
import { openLedgerFile } from "./schema/open-ledger-file.js";

/** Problems named at most: a damaged file has one for each of its pages. */
const problemsMax = 20;

// Facts that the file keeps twice, each a query that answers the rows where the two differ.
const agreements: Readonly<Record<string, string>> = {
  "the chain has no gap": `SELECT count(*) FROM audit
    HAVING count(*) > 0 AND max(sequence) - min(sequence) + 1 <> count(*)`,
  "the newest record counts the records": `SELECT 1 FROM audit
    WHERE sequence = (SELECT max(sequence) FROM audit)
      AND audit_count <> (SELECT count(*) FROM audit)`,
  "the newest record counts the attempts": `SELECT 1 FROM audit
    WHERE sequence = (SELECT max(sequence) FROM audit)
      AND attempt_count <> (SELECT count(*) FROM attempts)`,
};

/**
 * Everything that is wrong with the ledger's file, in SQLite's words and ours; empty when nothing
 * is. It reads the whole file, and makes and changes nothing.
 */
export async function checkSqliteStore(options: {
  readonly directory: string;
  readonly driver?: SqlDriverName;
}): Promise<Outcome<readonly string[]>> {
  const paths = makeStorePaths(options.directory);
  const directory = checkPrivateDirectory(paths.directory, "the state directory");
  if (!directory.ok) return directory;
  const driver = chooseDriver(options.driver);
  if (!driver.ok) return driver;
  const opened = openLedgerFile({ driver: driver.value, paths, create: false, nowMs: 0 });
  if (opened.kind === "refused") return failWith(opened.failure);
  if (opened.kind === "busy") return fail("unavailable", "another process holds the ledger");
  try {
    return succeed(listProblems(opened.connection).slice(0, problemsMax));
  } catch (error) {
    const fault = readSqlFault(error);
    if (fault === undefined) throw error;
    return failWith(describeFault(fault));
  } finally {
    opened.connection.close();
  }
}

function listProblems(connection: SqlConnection): readonly string[] {
  const integrity = connection
    .prepare(`PRAGMA integrity_check(${problemsMax})`)
    .all()
    .map((row) => String(row["integrity_check"]))
    .filter((line) => line !== "ok");
  const orphans = connection
    .prepare("PRAGMA foreign_key_check")
    .all()
    .map(({ table, parent }) => `a row of ${String(table)} names no row of ${String(parent)}`);
  const disagreements = Object.entries(agreements)
    .filter(([, sql]) => connection.prepare(sql).all().length > 0)
    .map(([fact]) => `not so: ${fact}`);
  return [...integrity, ...orphans, ...disagreements];
}
