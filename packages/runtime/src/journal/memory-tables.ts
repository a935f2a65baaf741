import {
  isAttemptTerminal,
  type Approver,
  type Attempt,
  type AttemptId,
  type AuditPosition,
  type AuditRecord,
  type KeyNamespace,
  type KeyReservation,
  type Kid,
  type Observation,
  type Owner,
  type Sha256,
  type Spend,
  type StoredPolicy,
} from "@connectors/domain";
import { invariant, unreachable } from "@connectors/sdk";
import type { Rows, RowsNeeded, RowWrite } from "./rows.js";

/** The rows of a store in memory, with the indexes that its reads need. */
export interface MemoryTables {
  readonly audit: { readonly record: AuditRecord; readonly sha256: Sha256 }[];
  readonly attempts: Map<AttemptId, Attempt>;
  /** Every attempt's id, oldest first: ids are UUIDv7, so their order is the order of time. */
  readonly attemptIds: AttemptId[];
  readonly openAttempts: Map<string, Set<AttemptId>>;
  readonly reservations: Map<KeyNamespace, KeyReservation>;
  readonly spends: Map<string, Spend>;
  readonly spentAttempts: Set<AttemptId>;
  readonly owners: Map<string, Owner>;
  readonly observations: Map<AttemptId, Observation[]>;
  readonly policies: StoredPolicy[];
  readonly approvers: Map<Kid, Approver>;
  floorMs: number;
}

/** Tables without rows. */
export function makeMemoryTables(): MemoryTables {
  return {
    audit: [],
    attempts: new Map(),
    attemptIds: [],
    openAttempts: new Map(),
    reservations: new Map(),
    spends: new Map(),
    spentAttempts: new Set(),
    owners: new Map(),
    observations: new Map(),
    policies: [],
    approvers: new Map(),
    floorMs: 0,
  };
}

/** The newest record's place, or null for an empty chain. */
export function readHead(tables: MemoryTables): AuditPosition | null {
  const last = tables.audit.at(-1);
  return last === undefined ? null : { sequence: last.record.sequence, sha256: last.sha256 };
}

/** The rows that a transaction asked for, as they stand. */
export function loadRows(tables: MemoryTables, needed: RowsNeeded): Rows {
  const reservation = needed.key === null ? null : (tables.reservations.get(needed.key) ?? null);
  const attemptId = needed.key === null ? needed.attempt : (reservation?.attempt ?? null);
  const attempt = attemptId === null ? null : (tables.attempts.get(attemptId) ?? null);
  const { spend, observationsOf, openAttemptsOf, owner, kid } = needed;
  return {
    head: readHead(tables),
    auditCount: tables.audit.length,
    attemptCount: tables.attempts.size,
    floorMs: tables.floorMs,
    policy: tables.policies.at(-1) ?? null,
    owner: owner === null ? null : (tables.owners.get(owner) ?? null),
    reservation: reservation ?? findReservation(tables, attempt),
    attempt,
    spend: spend === null ? null : (tables.spends.get(spendKey(spend)) ?? null),
    approver: kid === null ? null : (tables.approvers.get(kid) ?? null),
    openAttempts: openAttemptsOf === null ? [] : listOpenAttempts(tables, openAttemptsOf),
    observationCount:
      observationsOf === null ? 0 : (tables.observations.get(observationsOf)?.length ?? 0),
    approverCount: tables.approvers.size,
  };
}

/** Applies all writes, or none and answers false: an insert met a row that is already there. */
export function applyWrites(tables: MemoryTables, writes: readonly RowWrite[]): boolean {
  if (writes.some((write) => isTaken(tables, write))) return false;
  for (const write of writes) applyWrite(tables, write);
  return true;
}

function findReservation(tables: MemoryTables, attempt: Attempt | null): KeyReservation | null {
  if (attempt === null || attempt.key_namespace === null) return null;
  return tables.reservations.get(attempt.key_namespace) ?? null;
}

function listOpenAttempts(tables: MemoryTables, owner: string): Rows["openAttempts"] {
  const open: { attempt: Attempt; reservation: KeyReservation | null }[] = [];
  for (const id of tables.openAttempts.get(owner) ?? []) {
    const attempt = tables.attempts.get(id);
    invariant(attempt !== undefined, "an indexed attempt is there");
    open.push({ attempt, reservation: findReservation(tables, attempt) });
  }
  return open;
}

function spendKey(spend: { readonly issuer: string; readonly reference: string }): string {
  // Neither part can hold a space.
  return `${spend.issuer} ${spend.reference}`;
}

function isTaken(tables: MemoryTables, write: RowWrite): boolean {
  switch (write.kind) {
    case "insert_attempt":
      return tables.attempts.has(write.attempt.id);
    case "insert_spend":
      return (
        tables.spends.has(spendKey(write.spend)) || tables.spentAttempts.has(write.spend.attempt)
      );
    case "insert_observation": {
      const { attempt, ordinal } = write.observation;
      return (tables.observations.get(attempt)?.length ?? 0) !== ordinal;
    }
    case "insert_policy":
      return tables.policies.some((policy) => policy.revision === write.policy.revision);
    case "update_attempt":
      return !tables.attempts.has(write.attempt.id);
    case "append_audit":
    case "put_reservation":
    case "put_owner":
    case "put_approver":
    case "raise_floor":
      return false;
  }
}

function applyWrite(tables: MemoryTables, write: RowWrite): void {
  switch (write.kind) {
    case "append_audit":
      tables.audit.push({ record: write.record, sha256: write.sha256 });
      return;
    case "insert_attempt":
      insertId(tables.attemptIds, write.attempt.id);
      putAttempt(tables, write.attempt);
      return;
    case "update_attempt":
      putAttempt(tables, write.attempt);
      return;
    case "put_reservation":
      tables.reservations.set(write.reservation.namespace, write.reservation);
      return;
    case "insert_spend":
      tables.spends.set(spendKey(write.spend), write.spend);
      tables.spentAttempts.add(write.spend.attempt);
      return;
    case "put_owner":
      tables.owners.set(write.owner.nonce, write.owner);
      return;
    case "insert_observation": {
      const { attempt } = write.observation;
      const earlier = tables.observations.get(attempt) ?? [];
      tables.observations.set(attempt, [...earlier, write.observation]);
      return;
    }
    case "insert_policy":
      tables.policies.push(write.policy);
      return;
    case "put_approver":
      tables.approvers.set(write.approver.kid, write.approver);
      return;
    case "raise_floor":
      tables.floorMs = write.floorMs;
      return;
    default:
      unreachable(write);
  }
}

function putAttempt(tables: MemoryTables, attempt: Attempt): void {
  tables.attempts.set(attempt.id, attempt);
  const open = tables.openAttempts.get(attempt.owner) ?? new Set();
  if (isAttemptTerminal(attempt.state)) open.delete(attempt.id);
  else open.add(attempt.id);
  if (open.size === 0) tables.openAttempts.delete(attempt.owner);
  else tables.openAttempts.set(attempt.owner, open);
}

// Ids of one process come in order; two processes may interleave by a few milliseconds.
function insertId(ids: AttemptId[], id: AttemptId): void {
  let at = ids.length;
  for (; at > 0; at -= 1) {
    const earlier = ids[at - 1];
    if (earlier === undefined || earlier < id) break;
  }
  ids.splice(at, 0, id);
}
