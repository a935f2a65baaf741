import { pathToFileURL } from "node:url";
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
 * The SQLite that Node brings along (22.13 and newer, nothing to compile); undefined where this
 * Node has none.
 */
export function makeNodeSqliteDriver(): SqlDriver | undefined {
  const sqlite = loadQuietly();
  if (sqlite === undefined) return undefined;
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
