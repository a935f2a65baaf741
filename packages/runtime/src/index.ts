export { isWrite, type AdapterRegistration } from "./adapters/installed-adapter.js";
export type { Custody } from "./approvals/custody.js";
export { makeKeyApprover, type KeyApproverParts } from "./approvals/key-approver.js";
export {
  encodePrivateKeyFile,
  openPrivateKey,
  parsePrivateKeyBytes,
  type OpenedKey,
} from "./approvals/private-key-file.js";
export { makeProofFileApprover } from "./approvals/proof-file-approver.js";
export { makeSigningKey, thumbprintOf, type SigningKey } from "./approvals/signing-key.js";
export { readAuditPages, type AuditPage } from "./audit/audit-pages.js";
export { exportAudit, readAuditHead, type ExportOptions } from "./audit/export-audit.js";
export { verifyChain, type ChainFault, type ChainVerdict } from "./audit/verify-chain.js";
export type { CallLimits, WriteRequestFacts } from "./freeze/admit-write.js";
export type { FreezeRequest } from "./freeze/freeze-write.js";
export { decodePrepared, encodePrepared } from "./freeze/prepared-file.js";
export type { ApproversDesk, NewApprover } from "./host/approvers-desk.js";
export type {
  AttemptExplanation,
  AttemptFilter,
  AttemptRecord,
  AttemptsDesk,
} from "./host/attempts-desk.js";
export type { AuditDesk } from "./host/audit-desk.js";
export type { CommitOptions, FrozenWrite } from "./host/frozen-handle.js";
export { openHost, type Host, type HostOptions, type OperationListing } from "./host/host.js";
export type { PolicyDesk, PolicyTest } from "./host/policy-desk.js";
export type { ReadRequest } from "./host/read-operation.js";
export { makeUuidV7 } from "./identity/uuid-v7.js";
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
  explainPolicy,
  type MatchedMember,
  type PolicyExplanation,
  type PolicyRequest,
  type RuleExplanation,
} from "./policy/explain-policy.js";
export { approverNameOf } from "./policy/may-approve.js";
export {
  parsePolicy,
  type AllowedCommands,
  type Policy,
  type ReadRule,
} from "./policy/policy-document.js";
export {
  recoverOwners,
  type RecoveryOptions,
  type RecoveryReport,
} from "./recovery/recover-owners.js";
export {
  renderPrepared,
  type ApproverView,
  type KnownCluster,
  type Rendering,
} from "./rendering/render-prepared.js";
export { escapeMark } from "./rendering/render-value.js";
export type { Evidence } from "./write/evidence.js";
export type { Flight } from "./write/flights.js";
export { sightKey } from "./write/observe.js";
export { startObserving, startWrite, stepWrite } from "./write/write-machine.js";
export type {
  AnswerState,
  Established,
  Refusal,
  Sighting,
  Step,
  StepEvents,
  StepStates,
  Told,
  VerifiedApproval,
  WriteState,
} from "./write/write-state.js";
