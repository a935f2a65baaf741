import {
  approversMax,
  observationsMax,
  pageMax,
  type JournalQuery,
  type JournalView,
} from "@connectors/domain";
import type { Statements } from "./statements.js";
import { loadSummary } from "./load-rows.js";
import { BrokenRow } from "./row-text.js";
import {
  readApprover,
  readAttempt,
  readObservation,
  readOwner,
  readPolicy,
  readPosition,
  readRecord,
  readReservation,
} from "./stored-rows.js";
import { describeHealth } from "./describe-health.js";

/** What a read answers, inside one read transaction, so that its rows are of one moment. */
export function readView(
  statements: Statements,
  query: JournalQuery,
  poisoned: boolean,
): JournalView {
  switch (query.kind) {
    case "key":
      return readKey(statements, query.namespace);
    case "attempt": {
      const row = statements("attempt").get(query.id);
      return { kind: "attempt", attempt: row === undefined ? null : readAttempt(row) };
    }
    case "attempts":
      return readAttempts(statements, query);
    case "observations": {
      const rows = statements("observations").all(query.attempt, observationsMax);
      return { kind: "observations", observations: rows.map(readObservation) };
    }
    case "policy": {
      const row =
        query.revision === null
          ? statements("newestPolicy").get()
          : statements("policy").get(query.revision);
      return { kind: "policy", policy: row === undefined ? null : readPolicy(row) };
    }
    case "approvers":
      return {
        kind: "approvers",
        approvers: statements("approvers").all(approversMax).map(readApprover),
      };
    case "owners": {
      const rows =
        query.state === null
          ? statements("owners").all(pageMax)
          : statements("ownersOfState").all(query.state, pageMax);
      return { kind: "owners", owners: rows.map(readOwner) };
    }
    case "audit": {
      const records = statements("records").all(query.from, query.limit).map(readRecord);
      const head = statements("head").get();
      return { kind: "audit", records, head: head === undefined ? null : readPosition(head) };
    }
    case "health":
      return {
        kind: "health",
        health: describeHealth(statements, loadSummary(statements), poisoned),
      };
  }
}

function readKey(statements: Statements, namespace: string): JournalView {
  const row = statements("reservation").get(namespace);
  if (row === undefined) return { kind: "key", reservation: null, attempt: null };
  const reservation = readReservation(row);
  const attempt = statements("attempt").get(reservation.attempt);
  if (attempt === undefined) throw new BrokenRow("a key's attempt is there");
  return { kind: "key", reservation, attempt: readAttempt(attempt) };
}

/** Sorts after every id: they are hexadecimal. */
const afterEveryId = "g";

function readAttempts(
  statements: Statements,
  query: Extract<JournalQuery, { kind: "attempts" }>,
): JournalView {
  const { state, operation, before, limit, since_ms: sinceMs } = query;
  const rows = statements("attempts").all(
    before ?? afterEveryId,
    state,
    state,
    operation,
    operation,
    sinceMs ?? 0,
    limit,
  );
  return { kind: "attempts", attempts: rows.map(readAttempt) };
}
