import type { CommitFault } from "@connectors/runtime/testing";
import type { SqlConnection, SqlDriver, SqlStatement } from "../driver/sql-driver.js";

/** A driver whose statements can be made to fail, and whose connections can all be dropped. */
export interface FaultyDriver {
  readonly driver: SqlDriver;
  /** Makes the next COMMIT fail; with this result code where the fault leaves it open. */
  failNextCommit(fault: CommitFault, code?: string): void;
  /** Makes the next runs of a statement that begins with this text fail with this result code. */
  failNext(text: string, code: string, times?: number): void;
  /** The same for one run, once `spared` runs went well. */
  failAfter(text: string, code: string, spared: number): void;
  /** Closes every connection, as the end of a process does: nothing is committed or removed. */
  drop(): void;
}

interface ArmedFault {
  readonly text: string;
  readonly code: string;
  spared: number;
  times: number;
}

interface ArmedCommit {
  readonly fault: CommitFault;
  readonly code: string;
}

/** The driver, with faults that SQLite itself gives only on broken disks. */
export function makeFaultyDriver(inner: SqlDriver): FaultyDriver {
  let commit: ArmedCommit | undefined;
  let faults: readonly ArmedFault[] = [];
  const connections: SqlConnection[] = [];

  function runCommit(statement: SqlStatement): number {
    const armed = commit;
    commit = undefined;
    if (armed === undefined || armed.fault === "unacknowledged") statement.run();
    if (armed !== undefined) throw makeSqlError(armed.code);
    return 0;
  }

  function wrap(sql: string, statement: SqlStatement): SqlStatement {
    return {
      ...statement,
      run: (...values) => {
        const fault = faults.find(({ text }) => sql.startsWith(text));
        if (fault === undefined) {
          return sql === "COMMIT" ? runCommit(statement) : statement.run(...values);
        }
        if (fault.spared > 0) {
          fault.spared -= 1;
          return statement.run(...values);
        }
        fault.times -= 1;
        if (fault.times === 0) faults = faults.filter((other) => other !== fault);
        throw makeSqlError(fault.code);
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
    failNextCommit: (fault, code) => {
      const usual = fault === "rolled_back" ? "SQLITE_FULL" : "SQLITE_IOERR_FSYNC";
      commit = { fault, code: code ?? usual };
    },
    failNext: (text, code, times = 1) => {
      faults = [...faults, { text, code, times, spared: 0 }];
    },
    failAfter: (text, code, spared) => {
      faults = [...faults, { text, code, times: 1, spared }];
    },
    drop: () => {
      for (const connection of connections) connection.close();
    },
  };
}

function makeSqlError(code: string): Error {
  return Object.assign(new Error("injected"), { code });
}
