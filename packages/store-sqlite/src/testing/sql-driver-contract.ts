import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContractCase } from "@connectors/sdk/testing";
import type { SqlConnection, SqlDriver } from "../driver/sql-driver.js";
import { expectFault, expectSame, expectThat } from "./expect.js";

/** A driver, and an empty directory that the case may fill. */
export interface SqlDriverHarness {
  readonly driver: SqlDriver;
  readonly directory: string;
}

/** Every promise of the `SqlDriver` port. */
export const sqlDriverContract: readonly ContractCase<SqlDriverHarness>[] = [
  {
    name: "a missing file is made when asked for, and never by a look at it",
    async run({ driver, directory }) {
      // Characters that mean something in a URI are ordinary in a path.
      const path = join(directory, "a ?mode=memory#%41.db");
      expectFault(() => driver.open(path, "existing"), "cannot_open", "a look at a missing file");
      expectThat(!existsSync(path), "a look made no file");
      withConnection(
        driver,
        path,
        "create",
        (made) => made.exec("CREATE TABLE t (a TEXT) STRICT"),
        1,
      );
      expectThat(existsSync(path), "the file was made under its own name");
      withConnection(driver, path, "existing", (found) => {
        expectSame(found.prepare("SELECT count(*) AS n FROM t").get(), { n: 0 }, "an opened file");
      });
    },
  },
  {
    name: "rows come back as they were written",
    async run({ driver, directory }) {
      withConnection(driver, join(directory, "rows.db"), "create", (connection) => {
        connection.exec("CREATE TABLE t (n INTEGER PRIMARY KEY, s TEXT, r TEXT) STRICT");
        const insert = connection.prepare("INSERT INTO t VALUES (?, ?, ?)");
        insert.run(Number.MAX_SAFE_INTEGER, "ä\u2028\u{1f600}", null);
        insert.run(2, "", "x".repeat(70_000));
        const one = connection.prepare("SELECT n, s, r FROM t WHERE n = ?");
        expectSame(
          one.get(Number.MAX_SAFE_INTEGER),
          { n: Number.MAX_SAFE_INTEGER, s: "ä\u2028\u{1f600}", r: null },
          "a row",
        );
        expectSame(one.get(3), undefined, "no row");
        const all = connection.prepare("SELECT n FROM t ORDER BY n LIMIT ?").all(1);
        expectSame(all, [{ n: 2 }], "rows, as many as a parameter says");
      });
    },
  },
  {
    name: "a broken constraint undoes its own statement and leaves the transaction open",
    async run({ driver, directory }) {
      withConnection(driver, join(directory, "constraint.db"), "create", (connection) => {
        connection.exec("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL) STRICT");
        const insert = connection.prepare("INSERT INTO t VALUES (?, ?)");
        connection.exec("BEGIN IMMEDIATE");
        insert.run(1, "kept");
        connection.exec("SAVEPOINT one");
        insert.run(2, "undone");
        expectFault(() => insert.run(1, "twice"), "constraint", "a second row of one key");
        expectFault(() => insert.run(3, null), "constraint", "a missing value");
        connection.exec("ROLLBACK TO one; RELEASE one; COMMIT");
        const all = connection.prepare("SELECT a FROM t").all();
        expectSame(all, [{ a: 1 }], "what was committed");
      });
    },
  },
  {
    name: "a file that another connection writes is busy at once",
    async run({ driver, directory }) {
      const path = join(directory, "busy.db");
      withConnection(driver, path, "create", (holder) => {
        holder.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a TEXT) STRICT; BEGIN IMMEDIATE");
        withConnection(driver, path, "existing", (other) => {
          const startedMs = performance.now();
          expectFault(() => other.exec("BEGIN IMMEDIATE"), "busy", "a second writer");
          expectThat(performance.now() - startedMs < 1000, "busy is not waited for");
          expectSame(other.prepare("SELECT count(*) AS n FROM t").get(), { n: 0 }, "a reader");
        });
      });
    },
  },
  {
    name: "an exclusive lock ends with its connection",
    async run({ driver, directory }) {
      const path = join(directory, "owner.lock");
      const holder = driver.open(path, "create");
      holder.exec("BEGIN EXCLUSIVE");
      withConnection(driver, path, "existing", (other) => {
        expectFault(() => other.exec("BEGIN EXCLUSIVE"), "busy", "a lock that is held");
        holder.close();
        holder.close();
        other.exec("BEGIN EXCLUSIVE");
      });
    },
  },
  {
    name: "a file that is not a database is corrupt, not empty",
    async run({ driver, directory }) {
      const path = join(directory, "junk.db");
      writeFileSync(path, "this is no database\n".repeat(500));
      expectFault(
        () =>
          withConnection(driver, path, "existing", (found) => {
            found.prepare("SELECT count(*) FROM sqlite_schema").get();
          }),
        "corrupt",
        "a foreign file",
      );
    },
  },
  {
    name: "a full database says so before COMMIT",
    async run({ driver, directory }) {
      withConnection(driver, join(directory, "full.db"), "create", (connection) => {
        connection.exec("CREATE TABLE t (a TEXT) STRICT");
        connection.prepare("PRAGMA max_page_count = 4").get();
        const insert = connection.prepare("INSERT INTO t VALUES (?)");
        expectFault(() => insert.run("x".repeat(100_000)), "full", "a row that does not fit");
      });
    },
  },
];

function withConnection(
  driver: SqlDriver,
  path: string,
  mode: "create" | "existing",
  use: (connection: SqlConnection) => void,
  closes = 0,
): void {
  const connection = driver.open(path, mode);
  try {
    use(connection);
    for (let again = 0; again < closes; again += 1) connection.close();
  } finally {
    connection.close();
  }
}
