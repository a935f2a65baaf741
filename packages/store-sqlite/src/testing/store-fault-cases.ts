import { anchorRequest, beginRequest, type CommitFault } from "@connectors/runtime/testing";
import type { SqlDriver, SqlStatement } from "../driver/sql-driver.js";
import { makeStorePaths } from "../files/store-paths.js";
import { openLedgerFile } from "../schema/open-ledger-file.js";
import { expectSame, expectThat } from "./expect.js";
import { openTestProcess, type SqliteTestProcess } from "./sqlite-harness.js";
import {
  makePrivate,
  readEnd,
  register,
  type StoreCase,
  type StoreHarness,
} from "./store-scene.js";

// Where a statement fails, what SQLite says there, and what is known then (docs/write-contract.md,
// "Durable"): definite failures cost one request, ambiguous ones poison the process.
const faults: readonly (readonly [statement: string, code: string, end: string])[] = [
  ["BEGIN IMMEDIATE", "SQLITE_FULL", "definite capacity"],
  ["BEGIN IMMEDIATE", "SQLITE_NOMEM", "definite internal"],
  ["BEGIN IMMEDIATE", "SQLITE_IOERR_READ", "ambiguous unavailable"],
  ["BEGIN IMMEDIATE", "SQLITE_CORRUPT", "ambiguous unavailable"],
  ["BEGIN IMMEDIATE", "SQLITE_NOTADB", "ambiguous unavailable"],
  ["INSERT INTO audit", "SQLITE_FULL", "definite capacity"],
  ["INSERT INTO audit", "SQLITE_CONSTRAINT_PRIMARYKEY", "definite internal"],
  ["INSERT INTO audit", "SQLITE_READONLY", "definite unavailable"],
  ["INSERT INTO audit", "SQLITE_IOERR_WRITE", "ambiguous unavailable"],
  ["INSERT INTO audit", "SQLITE_CORRUPT_INDEX", "ambiguous unavailable"],
  ["COMMIT", "SQLITE_BUSY", "definite unavailable"],
  ["COMMIT", "SQLITE_BUSY_SNAPSHOT", "definite unavailable"],
  ["COMMIT", "SQLITE_FULL", "definite capacity"],
  ["COMMIT", "SQLITE_NOMEM", "ambiguous internal"],
  ["COMMIT", "SQLITE_ERROR", "ambiguous internal"],
  ["COMMIT", "SQLITE_IOERR_FSYNC", "ambiguous unavailable"],
  ["COMMIT", "SQLITE_CORRUPT", "ambiguous unavailable"],
];

/** What a failing statement says of the disk. */
export const storeFaultCases: readonly StoreCase[] = [
  ...faults.map(([statement, code, end]): StoreCase => {
    return {
      name: `${code} at ${statement} is ${end}`,
      async run(harness) {
        const process = await openFilled(harness);
        const before = await countRecords(process);
        // A group in which a request threw goes again, with a savepoint each.
        const times = code.startsWith("SQLITE_CONSTRAINT") ? 2 : 1;
        process.faults.failNext(statement, code, times);
        expectSame(await readEnd(process.journal, anchorRequest(1)), end, "the request");
        const poisoned = end.startsWith("ambiguous");
        const next = poisoned ? "definite unavailable" : "done";
        expectSame(await readEnd(process.journal, anchorRequest(1)), next, "the next request");
        // Reads go on, and nothing of the failed request is there.
        const after = await countRecords(process);
        expectSame(after, poisoned ? before : before + 1, "records");
        process.faults.drop();
        const again = openAgain(harness);
        expectSame(await readEnd(again.journal, anchorRequest(1)), "done", "after a fresh open");
        again.faults.drop();
      },
    };
  }),
  ...(["journal_mode", "synchronous", "foreign_keys"] as const).map((setting): StoreCase => {
    return {
      name: `an SQLite that says otherwise of ${setting} is not used`,
      async run({ driver, directory }) {
        const paths = makeStorePaths(directory);
        const deaf = makeDeafDriver(driver, setting);
        const opened = openLedgerFile({ driver: deaf, paths, create: true, nowMs: 0 });
        expectThat(opened.kind === "refused", "the open is refused");
        expectSame(opened.failure.code, "unavailable", "the failure");
      },
    };
  }),
  {
    name: "a COMMIT that cannot be rolled back is ambiguous, whatever it said",
    async run(harness) {
      const process = await openFilled(harness);
      process.faults.failNext("COMMIT", "SQLITE_FULL");
      process.faults.failNext("ROLLBACK", "SQLITE_IOERR", Infinity);
      const end = await readEnd(process.journal, anchorRequest(1));
      expectSame(end, "ambiguous capacity", "the request");
      process.faults.drop();
    },
  },
  {
    name: "a COMMIT that said it is full and was written all the same is ambiguous",
    async run(harness) {
      const process = await openFilled(harness);
      process.faults.failNextCommit("unacknowledged", "SQLITE_FULL");
      const end = await readEnd(process.journal, anchorRequest(1));
      expectSame(end, "ambiguous capacity", "the request");
      process.faults.drop();
    },
  },
  {
    name: "a request that fails inside a group is undone alone",
    async run(harness) {
      const process = await openFilled(harness);
      const before = await countRecords(process);
      process.faults.failNext("INSERT INTO spends", "SQLITE_CONSTRAINT_UNIQUE", 2);
      const ends = await Promise.all(
        [anchorRequest(1), beginRequest(1), beginRequest(2), anchorRequest(1)].map((request) =>
          readEnd(process.journal, request),
        ),
      );
      expectSame(ends, ["done", "definite internal", "prepared", "done"], "the group");
      expectSame(await countRecords(process), before + 3, "records");
      expectSame(await readEnd(process.journal, beginRequest(1)), "prepared", "the same again");
      process.faults.drop();
    },
  },
  {
    name: "a group in which a request threw, and whose second run finds the file busy, waits",
    async run(harness) {
      const process = await openFilled(harness);
      const before = await countRecords(process);
      process.faults.failNext("INSERT INTO spends", "SQLITE_CONSTRAINT_UNIQUE");
      process.faults.failAfter("BEGIN IMMEDIATE", "SQLITE_BUSY", 1);
      const ends = await Promise.all(
        [anchorRequest(1), beginRequest(1)].map((request) => readEnd(process.journal, request)),
      );
      expectSame(ends, ["done", "prepared"], "the group");
      expectSame(await countRecords(process), before + 2, "records");
      process.faults.drop();
    },
  },
  ...(["rolled_back", "lost", "unacknowledged"] as const).map((fault): StoreCase => {
    return {
      name: `of a group whose COMMIT was ${fault}, no request is answered`,
      async run(harness) {
        const process = await openFilled(harness);
        process.faults.failNextCommit(fault);
        const ends = await Promise.all(
          // The last would be refused by the first's spend, which may not be there.
          [beginRequest(1), anchorRequest(1), beginRequest(1)].map((request) =>
            readEnd(process.journal, request),
          ),
        );
        const certainty = certaintyOf(fault);
        expectThat(
          ends.every((end) => end.startsWith(certainty)),
          `${ends.join(", ")} are all ${certainty}`,
        );
        process.faults.drop();
      },
    };
  }),
];

/** The driver as of a build that keeps a setting of its own, whatever it is told. */
function makeDeafDriver(inner: SqlDriver, setting: string): SqlDriver {
  return {
    name: inner.name,
    open: (path, mode) => {
      const connection = inner.open(path, mode);
      const prepare = (sql: string): SqlStatement => {
        const statement = connection.prepare(sql);
        const asked = sql.startsWith(`PRAGMA ${setting}`);
        return asked ? { ...statement, get: () => ({ [setting]: "deaf" }) } : statement;
      };
      return { ...connection, prepare };
    },
  };
}

function certaintyOf(fault: CommitFault): string {
  return fault === "rolled_back" ? "definite" : "ambiguous";
}

async function openFilled(harness: StoreHarness): Promise<SqliteTestProcess> {
  const process = openAgain(harness);
  await register(process.journal);
  return process;
}

function openAgain({ driver, directory }: StoreHarness): SqliteTestProcess {
  const paths = makeStorePaths(directory);
  makePrivate(paths.owners);
  return openTestProcess(driver, paths);
}

async function countRecords({ journal }: SqliteTestProcess): Promise<number> {
  const view = await journal.query({ kind: "health" });
  expectThat(view.ok, "reads go on");
  return view.value.health.audit_records;
}
