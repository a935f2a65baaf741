import { pathToFileURL } from "node:url";
import { readSqlFault } from "./sql-fault.js";
import type { SqlConnection, SqlDriver, SqlRow, SqlValue } from "./sql-driver.js";

interface NodeStatement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): readonly SqlRow[];
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase;
}

/**
 * The SQLite that Node brings along (22.15 and newer, nothing to compile); undefined where this
 * Node has none, or one that cannot be told not to make a file.
 */
export function makeNodeSqliteDriver(): SqlDriver | undefined {
  const sqlite = loadQuietly();
  if (sqlite === undefined || !understandsUri(sqlite)) return undefined;
  return {
    name: "node:sqlite",
    open: (path, mode) => openConnection(sqlite, path, mode),
  };
}

function openConnection(
  sqlite: NodeSqlite,
  path: string,
  mode: "create" | "existing",
): SqlConnection {
  // The only way to say "do not create" to this module is a URI.
  const location = mode === "create" ? path : `${pathToFileURL(path).href}?mode=rw`;
  const database = new sqlite.DatabaseSync(location);
  let open = true;
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...values) => Number(statement.run(...values).changes),
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
      };
    },
    close: () => {
      if (!open) return;
      open = false;
      database.close();
    },
  };
}

/**
 * Node 22.13 and 22.14 take a URI for a file's name. This one names a file in a folder that nobody
 * has, so there it fails; elsewhere it is a database in memory.
 */
function understandsUri(sqlite: NodeSqlite): boolean {
  try {
    new sqlite.DatabaseSync("file:/connectors/no/such/folder?mode=memory").close();
    return true;
  } catch (error) {
    if (readSqlFault(error)?.kind === "cannot_open") return false;
    throw error;
  }
}

/**
 * Loads the module without its one ExperimentalWarning, which would stand on the standard error of
 * every command. Nothing else runs while warnings are off, so no other one is lost.
 */
function loadQuietly(): NodeSqlite | undefined {
  const emitWarning = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    const module: object | undefined = process.getBuiltinModule("node:sqlite");
    return isNodeSqlite(module) ? module : undefined;
  } finally {
    if (emitWarning !== undefined) Object.defineProperty(process, "emitWarning", emitWarning);
  }
}

function isNodeSqlite(module: object | undefined): module is NodeSqlite {
  return (
    module !== undefined && "DatabaseSync" in module && typeof module.DatabaseSync === "function"
  );
}
