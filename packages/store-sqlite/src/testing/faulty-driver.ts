import type { CommitFault } from "@connectors/runtime/testing";
import type { SqlConnection, SqlDriver, SqlStatement } from "../driver/sql-driver.js";

/** A driver whose next COMMIT can be made to fail, and whose connections can all be dropped. */
export interface FaultyDriver {
  readonly driver: SqlDriver;
  failNextCommit(fault: CommitFault): void;
  /** Makes the next run of a statement that holds this text fail with this result code. */
  failNext(text: string, code: string): void;
  /** Closes every connection, as the end of a process does: nothing is committed or removed. */
  drop(): void;
}

/** The driver, with faults that SQLite itself gives only on broken disks. */
export function makeFaultyDriver(inner: SqlDriver): FaultyDriver {
  let commitFault: CommitFault | undefined;
  let fault: { readonly text: string; readonly code: string } | undefined;
  const connections: SqlConnection[] = [];

  function runCommit(statement: SqlStatement): number {
    const armed = commitFault;
    commitFault = undefined;
    if (armed === "rolled_back") throw makeSqlError("SQLITE_FULL");
    if (armed === undefined || armed === "unacknowledged") statement.run();
    if (armed !== undefined) throw makeSqlError("SQLITE_IOERR_FSYNC");
    return 0;
  }

  function wrap(sql: string, statement: SqlStatement): SqlStatement {
    return {
      ...statement,
      run: (...values) => {
        if (fault !== undefined && sql.includes(fault.text)) {
          const { code } = fault;
          fault = undefined;
          throw makeSqlError(code);
        }
        return sql === "COMMIT" ? runCommit(statement) : statement.run(...values);
      },
    };
  }

  return {
    driver: {
      name: inner.name,
      open: (path, mode) => {
        const connection = inner.open(path, mode);
        connections.push(connection);
        return { ...connection, prepare: (sql) => wrap(sql, connection.prepare(sql)) };
      },
    },
    failNextCommit: (next) => {
      commitFault = next;
    },
    failNext: (text, code) => {
      fault = { text, code };
    },
    drop: () => {
      for (const connection of connections) connection.close();
    },
  };
}

function makeSqlError(code: string): Error {
  return Object.assign(new Error("injected"), { code });
}
