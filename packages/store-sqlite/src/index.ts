export type { SqlDriverName } from "./driver/sql-driver.js";
export {
  openSqliteJournal,
  type SqliteJournal,
  type SqliteJournalOptions,
} from "./open-sqlite-journal.js";
export { checkSqliteStore } from "./check-sqlite-store.js";
