export { readAuditPages, type AuditPage } from "./audit/audit-pages.js";
export { exportAudit, readAuditHead } from "./audit/export-audit.js";
export { verifyChain, type ChainFault, type ChainVerdict } from "./audit/verify-chain.js";
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
export {
  recoverOwners,
  type RecoveryOptions,
  type RecoveryReport,
} from "./recovery/recover-owners.js";
