/**
 * What a driver's exception says, as far as this package decides on it.
 *
 * `io` and `corrupt` leave open what is on the disk; every other kind, met before COMMIT, is a
 * statement that did not happen.
 */
export type SqlFaultKind =
  | "busy"
  | "full"
  | "io"
  | "corrupt"
  | "constraint"
  | "cannot_open"
  | "read_only"
  | "other";

export interface SqlFault {
  readonly kind: SqlFaultKind;
  /** SQLite's primary result code, such as SQLITE_IOERR; never its message, which may hold values. */
  readonly code: string;
}

interface PrimaryCode {
  readonly name: string;
  readonly kind: SqlFaultKind;
}

// https://sqlite.org/rescode.html; primary result codes are the low byte of extended ones.
const primaryCodes: ReadonlyMap<number, PrimaryCode> = new Map<number, PrimaryCode>([
  [1, { name: "SQLITE_ERROR", kind: "other" }],
  [3, { name: "SQLITE_PERM", kind: "cannot_open" }],
  [5, { name: "SQLITE_BUSY", kind: "busy" }],
  [6, { name: "SQLITE_LOCKED", kind: "busy" }],
  [7, { name: "SQLITE_NOMEM", kind: "other" }],
  [8, { name: "SQLITE_READONLY", kind: "read_only" }],
  [10, { name: "SQLITE_IOERR", kind: "io" }],
  [11, { name: "SQLITE_CORRUPT", kind: "corrupt" }],
  [13, { name: "SQLITE_FULL", kind: "full" }],
  [14, { name: "SQLITE_CANTOPEN", kind: "cannot_open" }],
  // Another connection holds the locking protocol up; SQLite advises to try again.
  [15, { name: "SQLITE_PROTOCOL", kind: "busy" }],
  [17, { name: "SQLITE_SCHEMA", kind: "other" }],
  [18, { name: "SQLITE_TOOBIG", kind: "other" }],
  [19, { name: "SQLITE_CONSTRAINT", kind: "constraint" }],
  [20, { name: "SQLITE_MISMATCH", kind: "constraint" }],
  [26, { name: "SQLITE_NOTADB", kind: "corrupt" }],
]);

const codesByName: ReadonlyMap<string, PrimaryCode> = new Map(
  [...primaryCodes.values()].map((entry) => [entry.name, entry]),
);

/** The fault in a driver's exception; undefined when the exception is not SQLite's. */
export function readSqlFault(error: unknown): SqlFault | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = error.code;
  if (typeof code !== "string") return undefined;
  // node:sqlite gives the extended result code as a number beside one fixed code.
  if (code === "ERR_SQLITE_ERROR") {
    if (!("errcode" in error) || typeof error.errcode !== "number") return undefined;
    return faultOf(primaryCodes.get(error.errcode & 0xff));
  }
  // better-sqlite3 gives the extended code's name: SQLITE_IOERR_WRITE, SQLITE_BUSY_SNAPSHOT.
  if (!code.startsWith("SQLITE_")) return undefined;
  const primary = code.split("_").slice(0, 2).join("_");
  return faultOf(codesByName.get(primary));
}

function faultOf(entry: PrimaryCode | undefined): SqlFault {
  return { kind: entry?.kind ?? "other", code: entry?.name ?? "SQLITE_OTHER" };
}
