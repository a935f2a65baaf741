import { createRequire } from "node:module";
import type { SqlConnection, SqlDriver, SqlRow, SqlValue } from "./sql-driver.js";

interface BetterStatement {
  run(...values: readonly SqlValue[]): { readonly changes: number };
  get(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): readonly unknown[];
}

interface BetterDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): BetterStatement;
  close(): unknown;
}

type BetterConstructor = new (
  path: string,
  options: { readonly fileMustExist: boolean; readonly timeout: number },
) => BetterDatabase;

/** better-sqlite3, for a Node without SQLite of its own; undefined where it is not installed. */
export function makeBetterSqliteDriver(): SqlDriver | undefined {
  const constructor = loadConstructor();
  if (constructor === undefined) return undefined;
  return {
    name: "better-sqlite3",
    open: (path, mode) => openConnection(constructor, path, mode),
  };
}

function openConnection(
  constructor: BetterConstructor,
  path: string,
  mode: "create" | "existing",
): SqlConnection {
  const database = new constructor(path, { fileMustExist: mode === "existing", timeout: 0 });
  return {
    exec: (sql) => {
      database.exec(sql);
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...values) => statement.run(...values).changes,
        // The driver answers a row as a plain object, or undefined.
        get: (...values) => statement.get(...values) as SqlRow | undefined,
        all: (...values) => statement.all(...values) as readonly SqlRow[],
      };
    },
    close: () => {
      database.close();
    },
  };
}

/**
 * Loaded by `require`, which a bundler leaves alone: the package is optional and holds a native
 * part that belongs to one version of Node. One that does not load here is as good as missing; it
 * loads with the first database, so one is opened in memory.
 */
function loadConstructor(): BetterConstructor | undefined {
  const constructor = requireOptional(import.meta.url) ?? requireFromHome();
  if (constructor === undefined) return undefined;
  try {
    new constructor(":memory:", { fileMustExist: false, timeout: 0 }).close();
    return constructor;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** From where this package is installed: a bundle that holds this module may lie elsewhere. */
function requireFromHome(): BetterConstructor | undefined {
  try {
    const require = createRequire(import.meta.url);
    return requireOptional(require.resolve("@connectors/store-sqlite/package.json"));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function requireOptional(from: string): BetterConstructor | undefined {
  try {
    const constructor: unknown = createRequire(from)("better-sqlite3");
    return isConstructor(constructor) ? constructor : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // `tries` is how the loader of native parts says that none was ever built.
  if ("tries" in error) return true;
  return (
    "code" in error && (error.code === "MODULE_NOT_FOUND" || error.code === "ERR_DLOPEN_FAILED")
  );
}

function isConstructor(value: unknown): value is BetterConstructor {
  return typeof value === "function";
}
