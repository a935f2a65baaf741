import {
  isAttemptTerminal,
  type Approver,
  type Attempt,
  type AttemptId,
  type AuditPosition,
  type JournalAnswer,
  type JournalRequest,
  type KeyNamespace,
  type KeyReservation,
  type Owner,
  type Spend,
  type StoredPolicy,
} from "@connectors/domain";
import { invariant } from "@connectors/sdk";
import type { JournalMachine, Rows, RowsNeeded, RowWrite } from "@connectors/runtime";

/**
 * The rows of a store as an immutable value.
 *
 * Equal rows are one object, so that a world is compared by identity. The chain is left out of the
 * comparison, for no decision looks at what it holds: its head stands still and its digests with it.
 */
export interface Ledger {
  readonly key: string;
  readonly floorMs: number;
  readonly policy: StoredPolicy | null;
  readonly approver: Approver | null;
  readonly owners: ReadonlyMap<string, Owner>;
  readonly attempts: ReadonlyMap<AttemptId, Attempt>;
  readonly reservations: ReadonlyMap<KeyNamespace, KeyReservation>;
  readonly spends: ReadonlyMap<string, Spend>;
}

/** A request, and a name that stands for it: equal names are equal requests. */
export interface NamedRequest {
  readonly name: string;
  /** Made when it is first needed: most transactions were run before, in another world. */
  readonly make: () => JournalRequest;
}

/** What a transaction answered, and the ledger that it left. */
export interface Transaction {
  readonly answer: JournalAnswer;
  readonly ledger: Ledger;
}

/** Runs transactions on ledgers, each distinct one once. */
export interface Store {
  readonly empty: Ledger;
  transact(ledger: Ledger, named: NamedRequest): Transaction;
}

type Rowset = Omit<Ledger, "key">;

const noRows: Rowset = {
  floorMs: 0,
  policy: null,
  approver: null,
  owners: new Map(),
  attempts: new Map(),
  reservations: new Map(),
  spends: new Map(),
};

/** A store over this machine, which may be a mutant of the real one. */
export function makeStore(machine: JournalMachine): Store {
  const ledgers = new Map<string, Ledger>();
  const transactions = new Map<string, Transaction>();

  function intern(rows: Rowset): Ledger {
    const description = describeRows(rows);
    const known = ledgers.get(description);
    if (known !== undefined) return known;
    const ledger = { ...rows, key: `L${ledgers.size}` };
    ledgers.set(description, ledger);
    return ledger;
  }

  function run(ledger: Ledger, request: JournalRequest): Transaction {
    const rows = loadRows(ledger, machine.rowsNeeded(request));
    const { answer, writes } = machine.decide(request, rows);
    const after = intern(writes.reduce<Rowset>(applyWrite, ledger));
    return { answer: standStill(answer), ledger: after };
  }

  return {
    empty: intern(noRows),
    transact(ledger, { name, make }) {
      const id = `${ledger.key} ${name}`;
      const known = transactions.get(id);
      if (known !== undefined) return known;
      const transaction = run(ledger, make());
      transactions.set(id, transaction);
      return transaction;
    },
  };
}

/** Whether `answer` is true of `ledger`: what an acknowledgement says is there. */
export function holds(answer: JournalAnswer, ledger: Ledger): boolean {
  if (!("attempt" in answer) || answer.attempt === null || typeof answer.attempt === "string") {
    return true;
  }
  const there = ledger.attempts.get(answer.attempt.id);
  return there !== undefined && describeAttempt(there) === describeAttempt(answer.attempt);
}

/** An attempt by all that a decision can look at. */
export function describeAttempt(attempt: Attempt): string {
  const { id, state, owner, outcome, settled_at_ms: settledAtMs } = attempt;
  const { key_namespace: key, reference } = attempt;
  const kept = outcome === null ? null : [outcome.classification, outcome.cause?.code ?? null];
  return JSON.stringify([id, state, owner, key, reference, settledAtMs, kept]);
}

function describeRows(rows: Rowset): string {
  const parts = [
    rows.floorMs,
    rows.policy?.revision ?? 0,
    rows.approver?.state ?? "none",
    [...rows.owners.values()].map((owner) => `${owner.nonce} ${owner.state}`).toSorted(),
    [...rows.attempts.values()].map(describeAttempt).toSorted(),
    [...rows.reservations.values()]
      .map((row) => JSON.stringify([row.namespace, row.attempt, row.state, row.expires_at_ms]))
      .toSorted(),
    [...rows.spends.values()].map((spend) => `${spend.reference} ${spend.attempt}`).toSorted(),
  ];
  return JSON.stringify(parts);
}

function loadRows(ledger: Ledger, needed: RowsNeeded): Rows {
  const byKey = needed.key === null ? undefined : ledger.reservations.get(needed.key);
  const attemptId = needed.key === null ? needed.attempt : (byKey?.attempt ?? null);
  const attempt = attemptId === null ? null : (ledger.attempts.get(attemptId) ?? null);
  return {
    head: null,
    auditCount: 0,
    attemptCount: ledger.attempts.size,
    floorMs: ledger.floorMs,
    policy: ledger.policy,
    owner: needed.owner === null ? null : (ledger.owners.get(needed.owner) ?? null),
    reservation: byKey ?? findReservation(ledger, attempt),
    attempt,
    spend: needed.spend === null ? null : (ledger.spends.get(needed.spend.reference) ?? null),
    approver: needed.kid === ledger.approver?.kid ? ledger.approver : null,
    openAttempts: [...ledger.attempts.values()]
      .filter((one) => one.owner === needed.openAttemptsOf && !isAttemptTerminal(one.state))
      .map((one) => ({ attempt: one, reservation: findReservation(ledger, one) })),
    observationCount: 0,
    approverCount: ledger.approver === null ? 0 : 1,
  };
}

function findReservation(ledger: Ledger, attempt: Attempt | null): KeyReservation | null {
  if (attempt === null || attempt.key_namespace === null) return null;
  return ledger.reservations.get(attempt.key_namespace) ?? null;
}

function applyWrite(rows: Rowset, write: RowWrite): Rowset {
  switch (write.kind) {
    case "insert_attempt":
      invariant(!rows.attempts.has(write.attempt.id), "an attempt is inserted once");
      return { ...rows, attempts: putRow(rows.attempts, write.attempt.id, still(write.attempt)) };
    case "update_attempt":
      return { ...rows, attempts: putRow(rows.attempts, write.attempt.id, still(write.attempt)) };
    case "put_reservation": {
      const { reservation } = write;
      return {
        ...rows,
        reservations: putRow(rows.reservations, reservation.namespace, reservation),
      };
    }
    case "insert_spend": {
      invariant(!rows.spends.has(write.spend.reference), "a proof is spent once");
      return { ...rows, spends: putRow(rows.spends, write.spend.reference, write.spend) };
    }
    case "put_owner":
      return { ...rows, owners: putRow(rows.owners, write.owner.nonce, write.owner) };
    case "insert_policy":
      return { ...rows, policy: write.policy };
    case "put_approver":
      return { ...rows, approver: write.approver };
    case "raise_floor":
      return { ...rows, floorMs: write.floorMs };
    case "append_audit":
    case "insert_observation":
      return rows;
  }
}

function putRow<Id, Row>(rows: ReadonlyMap<Id, Row>, id: Id, row: Row): ReadonlyMap<Id, Row> {
  return new Map(rows).set(id, row);
}

function standStill(answer: JournalAnswer): JournalAnswer {
  if (!("attempt" in answer) || answer.attempt === null || typeof answer.attempt === "string") {
    return answer;
  }
  // Only the attempt is replaced, by itself without its place in the chain.
  return { ...answer, attempt: still(answer.attempt) } as JournalAnswer;
}

function still(attempt: Attempt): Attempt {
  return { ...attempt, audit: standingHead(attempt) };
}

function standingHead(attempt: Attempt): AuditPosition {
  return { sequence: attempt.anchor, sha256: attempt.subject_sha256 };
}
