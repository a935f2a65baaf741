import type { SqlConnection, SqlStatement } from "../driver/sql-driver.js";

const sql = {
  begin: "BEGIN IMMEDIATE",
  beginRead: "BEGIN",
  commit: "COMMIT",
  rollback: "ROLLBACK",
  savepoint: "SAVEPOINT request",
  release: "RELEASE request",
  rollbackTo: "ROLLBACK TO request",

  dataVersion: "PRAGMA data_version",
  version: "SELECT sqlite_version() AS version",
  head: `SELECT sequence, sha256, floor_ms, attempt_count, audit_count
    FROM audit ORDER BY sequence DESC LIMIT 1`,
  records: "SELECT sequence, body FROM audit WHERE sequence >= ? ORDER BY sequence LIMIT ?",
  appendRecord: `INSERT INTO audit
    (sequence, sha256, body, floor_ms, attempt_count, audit_count) VALUES (?, ?, ?, ?, ?, ?)`,

  attempt: "SELECT id, owner, state, body FROM attempts WHERE id = ?",
  openAttempts:
    "SELECT id, owner, state, body FROM attempts WHERE owner = ? AND settled = 0 ORDER BY id",
  openCount: "SELECT count(*) AS n FROM attempts WHERE settled = 0",
  attempts: `SELECT id, owner, state, body FROM attempts
    WHERE id < ? AND (? IS NULL OR state = ?) AND (? IS NULL OR operation = ?)
      AND created_at_ms >= ?
    ORDER BY id DESC LIMIT ?`,
  insertAttempt: `INSERT INTO attempts (id, owner, state, settled, operation, created_at_ms, body)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  updateAttempt: "UPDATE attempts SET state = ?, settled = ?, body = ? WHERE id = ? AND owner = ?",

  reservation: "SELECT namespace, attempt, body FROM reservations WHERE namespace = ?",
  putReservation: `INSERT INTO reservations (namespace, attempt, body) VALUES (?, ?, ?)
    ON CONFLICT (namespace) DO UPDATE SET attempt = excluded.attempt, body = excluded.body`,

  spend: "SELECT issuer, reference, attempt, body FROM spends WHERE issuer = ? AND reference = ?",
  insertSpend: "INSERT INTO spends (issuer, reference, attempt, body) VALUES (?, ?, ?, ?)",

  owner: "SELECT nonce, state, body FROM owners WHERE nonce = ?",
  owners: "SELECT nonce, state, body FROM owners ORDER BY rowid DESC LIMIT ?",
  ownersOfState:
    "SELECT nonce, state, body FROM owners WHERE state = ? ORDER BY rowid DESC LIMIT ?",
  ownerCount: "SELECT count(*) AS n FROM owners WHERE state = ?",
  putOwner: `INSERT INTO owners (nonce, state, body) VALUES (?, ?, ?)
    ON CONFLICT (nonce) DO UPDATE SET state = excluded.state, body = excluded.body`,

  observations:
    "SELECT attempt, ordinal, body FROM observations WHERE attempt = ? ORDER BY ordinal LIMIT ?",
  observationCount: "SELECT count(*) AS n FROM observations WHERE attempt = ?",
  insertObservation: "INSERT INTO observations (attempt, ordinal, body) VALUES (?, ?, ?)",

  policy: "SELECT revision, body FROM policies WHERE revision = ?",
  newestPolicy: "SELECT revision, body FROM policies ORDER BY revision DESC LIMIT 1",
  insertPolicy: "INSERT INTO policies (revision, body) VALUES (?, ?)",

  approver: "SELECT kid, body FROM approvers WHERE kid = ?",
  approvers: "SELECT kid, body FROM approvers ORDER BY kid LIMIT ?",
  approverCount: "SELECT count(*) AS n FROM approvers",
  putApprover: `INSERT INTO approvers (kid, body) VALUES (?, ?)
    ON CONFLICT (kid) DO UPDATE SET body = excluded.body`,
} as const;

export type StatementName = keyof typeof sql;

/** Every statement of the ledger, compiled when it is first used. */
export type Statements = (name: StatementName) => SqlStatement;

/** The ledger's statements on one connection. */
export function makeStatements(connection: SqlConnection): Statements {
  const compiled = new Map<StatementName, SqlStatement>();
  return (name) => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql[name]);
    compiled.set(name, statement);
    return statement;
  };
}
