import {
  parseApprover,
  parseAttempt,
  parseAuditPosition,
  parseAuditRecord,
  parseKeyReservation,
  parseObservation,
  parseOwner,
  parseSpend,
  parseStoredPolicy,
  type Approver,
  type Attempt,
  type AuditPosition,
  type AuditRecord,
  type KeyReservation,
  type Observation,
  type Owner,
  type Spend,
  type StoredPolicy,
} from "@connectors/domain";
import type { SqlRow } from "../driver/sql-driver.js";
import { BrokenRow, decodeBody, expectColumn } from "./row-text.js";

// One reader a table. Each compares the columns that rows are found by with the body they found.

/** An attempt of the columns id, owner, state and body. */
export function readAttempt(row: SqlRow): Attempt {
  const attempt = decodeBody(row["body"], parseAttempt);
  expectColumn(row["id"], attempt.id, "an attempt's id");
  expectColumn(row["owner"], attempt.owner, "an attempt's owner");
  expectColumn(row["state"], attempt.state, "an attempt's state");
  return attempt;
}

/** A reservation of the columns namespace, attempt and body. */
export function readReservation(row: SqlRow): KeyReservation {
  const reservation = decodeBody(row["body"], parseKeyReservation);
  expectColumn(row["namespace"], reservation.namespace, "a key's namespace");
  expectColumn(row["attempt"], reservation.attempt, "a key's attempt");
  return reservation;
}

/** A spent proof of the columns issuer, reference, attempt and body. */
export function readSpend(row: SqlRow): Spend {
  const spend = decodeBody(row["body"], parseSpend);
  expectColumn(row["issuer"], spend.issuer, "a spend's issuer");
  expectColumn(row["reference"], spend.reference, "a spend's reference");
  expectColumn(row["attempt"], spend.attempt, "a spend's attempt");
  return spend;
}

/** An owner of the columns nonce, state and body. */
export function readOwner(row: SqlRow): Owner {
  const owner = decodeBody(row["body"], parseOwner);
  expectColumn(row["nonce"], owner.nonce, "an owner's nonce");
  expectColumn(row["state"], owner.state, "an owner's state");
  return owner;
}

/** A piece of evidence of the columns attempt, ordinal and body. */
export function readObservation(row: SqlRow): Observation {
  const observation = decodeBody(row["body"], parseObservation);
  expectColumn(row["attempt"], observation.attempt, "an observation's attempt");
  expectColumn(row["ordinal"], observation.ordinal, "an observation's ordinal");
  return observation;
}

/** A policy of the columns revision and body. */
export function readPolicy(row: SqlRow): StoredPolicy {
  const policy = decodeBody(row["body"], parseStoredPolicy);
  expectColumn(row["revision"], policy.revision, "a policy's revision");
  return policy;
}

/** An approver's key of the columns kid and body. */
export function readApprover(row: SqlRow): Approver {
  const approver = decodeBody(row["body"], parseApprover);
  expectColumn(row["kid"], approver.kid, "an approver's kid");
  return approver;
}

/** A record's place, of the columns sequence and sha256. */
export function readPosition(row: SqlRow): AuditPosition {
  const parsed = parseAuditPosition({ sequence: row["sequence"], sha256: row["sha256"] });
  if (!parsed.ok) throw new BrokenRow("a record has a place");
  return parsed.value;
}

/**
 * A record of the columns sequence and body, as its model has it and no further checked: whether
 * it fits its chain is for `audit verify` to say, which must be able to read what does not.
 */
export function readRecord(row: SqlRow): AuditRecord {
  const record = decodeBody(row["body"], parseAuditRecord);
  expectColumn(row["sequence"], record.sequence, "a record's sequence");
  return record;
}
