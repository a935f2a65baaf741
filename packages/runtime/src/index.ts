export type { AnswerOf, Journal, JournalFailure, OwnerLocks } from "./journal/journal.js";
export { isReservationLive } from "./journal/key-life.js";
export { keepFailure } from "./journal/kept-failure.js";
export { journalLimits, type JournalLimits } from "./journal/limits.js";
export { journalMachine, makeJournalMachine } from "./journal/machine.js";
export {
  makeMemoryLedger,
  openMemoryJournal,
  type MemoryJournal,
  type MemoryLedger,
} from "./journal/memory-journal.js";
export type { Decision, JournalMachine, Rows, RowsNeeded, RowWrite } from "./journal/rows.js";
