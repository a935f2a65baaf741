export type { SqlDriverName } from "./driver/sql-driver.js";
export {
  openSqliteJournal,
  type SqliteJournal,
  type SqliteJournalOptions,
} from "./open-sqlite-journal.js";
