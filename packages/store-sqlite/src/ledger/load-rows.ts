import type {
  Approver,
  Attempt,
  AttemptId,
  KeyNamespace,
  KeyReservation,
  Kid,
  Owner,
} from "@connectors/domain";
import type { Rows, RowsNeeded } from "@connectors/runtime";
import type { SqlRow } from "../driver/sql-driver.js";
import { keepRow, type KnownRows, type LedgerSummary } from "./known-rows.js";
import { readCount } from "./row-text.js";
import type { Statements } from "./statements.js";
import {
  readApprover,
  readAttempt,
  readOwner,
  readPolicy,
  readPosition,
  readReservation,
  readSpend,
} from "./stored-rows.js";

/** What stands at the ends of the chain and of the policies. */
export function loadSummary(statements: Statements): LedgerSummary {
  const head = statements("head").get();
  const policy = statements("newestPolicy").get();
  return {
    head: head === undefined ? null : readPosition(head),
    policy: policy === undefined ? null : readPolicy(policy),
    floorMs: head === undefined ? 0 : readCount(head["floor_ms"], "the floor"),
    attemptCount: head === undefined ? 0 : readCount(head["attempt_count"], "the attempts' count"),
    auditCount: head === undefined ? 0 : readCount(head["audit_count"], "the records' count"),
  };
}

/** The rows that one request needs, as they stand inside the transaction. */
export function loadRows(statements: Statements, known: KnownRows, needed: RowsNeeded): Rows {
  const { key, spend, kid, owner, openAttemptsOf, observationsOf } = needed;
  const byKey = key === null ? null : findReservation(statements, known, key);
  const attemptId = key === null ? needed.attempt : (byKey?.attempt ?? null);
  const attempt = attemptId === null ? null : findAttempt(statements, known, attemptId);
  return {
    head: known.head,
    policy: known.policy,
    floorMs: known.floorMs,
    attemptCount: known.attemptCount,
    auditCount: known.auditCount,
    owner: owner === null ? null : findOwner(statements, known, owner),
    reservation: byKey ?? findReservationOf(statements, known, attempt),
    attempt,
    spend:
      spend === null
        ? null
        : parseFound(statements("spend").get(spend.issuer, spend.reference), readSpend),
    approver: kid === null ? null : findApprover(statements, known, kid),
    openAttempts:
      openAttemptsOf === null ? [] : loadOpenAttempts(statements, known, openAttemptsOf),
    observationCount:
      observationsOf === null
        ? 0
        : countRows(statements("observationCount").get(observationsOf), "observations"),
    approverCount: needed.approverCount
      ? countRows(statements("approverCount").get(), "approvers")
      : 0,
  };
}

/** The number in a row of one count, named `n`. */
export function countRows(row: SqlRow | undefined, what: string): number {
  return readCount(row?.["n"], what);
}

function loadOpenAttempts(
  statements: Statements,
  known: KnownRows,
  owner: string,
): Rows["openAttempts"] {
  return statements("openAttempts")
    .all(owner)
    .map(readAttempt)
    .map((attempt) => ({ attempt, reservation: findReservationOf(statements, known, attempt) }));
}

function findReservationOf(
  statements: Statements,
  known: KnownRows,
  attempt: Attempt | null,
): KeyReservation | null {
  if (attempt === null || attempt.key_namespace === null) return null;
  return findReservation(statements, known, attempt.key_namespace);
}

function findReservation(
  statements: Statements,
  known: KnownRows,
  namespace: KeyNamespace,
): KeyReservation | null {
  return findRow(known.reservations, namespace, statements, "reservation", readReservation);
}

function findAttempt(statements: Statements, known: KnownRows, id: AttemptId): Attempt | null {
  return findRow(known.attempts, id, statements, "attempt", readAttempt);
}

function findOwner(statements: Statements, known: KnownRows, nonce: string): Owner | null {
  return findRow(known.owners, nonce, statements, "owner", readOwner);
}

function findApprover(statements: Statements, known: KnownRows, kid: Kid): Approver | null {
  return findRow(known.approvers, kid, statements, "approver", readApprover);
}

function findRow<Key extends string, Row>(
  rows: Map<Key, Row>,
  key: Key,
  statements: Statements,
  statement: "reservation" | "attempt" | "owner" | "approver",
  read: (row: SqlRow) => Row,
): Row | null {
  const knownRow = rows.get(key);
  if (knownRow !== undefined) return knownRow;
  const found = parseFound(statements(statement).get(key), read);
  if (found !== null) keepRow(rows, key, found);
  return found;
}

function parseFound<Row>(row: SqlRow | undefined, read: (row: SqlRow) => Row): Row | null {
  return row === undefined ? null : read(row);
}
