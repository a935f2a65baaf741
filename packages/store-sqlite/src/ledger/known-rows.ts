import type {
  Approver,
  Attempt,
  AttemptId,
  AuditPosition,
  KeyNamespace,
  KeyReservation,
  Kid,
  Owner,
  StoredPolicy,
} from "@connectors/domain";
import type { RowWrite } from "@connectors/runtime";

/**
 * Rows that this connection knows to be as they stand, because nobody else has written since:
 * SQLite's data_version says so at the start of every transaction, under the write lock.
 *
 * Without them each of a write's four transactions would parse the policy and its attempt again.
 */
export interface KnownRows {
  head: AuditPosition | null;
  policy: StoredPolicy | null;
  floorMs: number;
  attemptCount: number;
  auditCount: number;
  readonly owners: Map<string, Owner>;
  readonly approvers: Map<Kid, Approver>;
  readonly attempts: Map<AttemptId, Attempt>;
  readonly reservations: Map<KeyNamespace, KeyReservation>;
}

/** Rows a map may hold: the attempts in flight and some more. Past it, it starts afresh. */
const rowsMax = 1024;

/** What a transaction begins with, before it looked for any single row. */
export type LedgerSummary = Pick<
  KnownRows,
  "head" | "policy" | "floorMs" | "attemptCount" | "auditCount"
>;

/** Known rows that hold a summary alone. */
export function makeKnownRows(summary: LedgerSummary): KnownRows {
  return {
    ...summary,
    owners: new Map(),
    approvers: new Map(),
    attempts: new Map(),
    reservations: new Map(),
  };
}

/** Keeps a row that was read or written, forgetting the others when there are too many. */
export function keepRow<Key, Row>(rows: Map<Key, Row>, key: Key, row: Row): void {
  if (rows.size >= rowsMax) rows.clear();
  rows.set(key, row);
}

/** Takes note of writes that were applied to the database. */
export function noteWrites(known: KnownRows, writes: readonly RowWrite[]): void {
  for (const write of writes) noteWrite(known, write);
}

function noteWrite(known: KnownRows, write: RowWrite): void {
  switch (write.kind) {
    case "append_audit":
      known.head = { sequence: write.record.sequence, sha256: write.sha256 };
      known.auditCount += 1;
      return;
    case "insert_attempt":
      known.attemptCount += 1;
      keepRow(known.attempts, write.attempt.id, write.attempt);
      return;
    case "update_attempt":
      keepRow(known.attempts, write.attempt.id, write.attempt);
      return;
    case "put_reservation":
      keepRow(known.reservations, write.reservation.namespace, write.reservation);
      return;
    case "put_owner":
      keepRow(known.owners, write.owner.nonce, write.owner);
      return;
    case "put_approver":
      keepRow(known.approvers, write.approver.kid, write.approver);
      return;
    case "insert_policy":
      known.policy = write.policy;
      return;
    case "raise_floor":
      known.floorMs = write.floorMs;
      return;
    case "insert_spend":
    case "insert_observation":
      return;
  }
}
