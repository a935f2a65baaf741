import { isAttemptTerminal } from "@connectors/domain";
import type { RowWrite } from "@connectors/runtime";
import { invariant } from "@connectors/sdk";
import type { KnownRows } from "./known-rows.js";
import type { Statements } from "./statements.js";

/** Applies one decision's writes; throws where a row to insert is there or one to update is not. */
export function writeRows(
  statements: Statements,
  known: KnownRows,
  writes: readonly RowWrite[],
): void {
  const counts = countAfter(known, writes);
  for (const write of writes) writeRow(statements, write, counts);
}

/** What the ledger counts once these writes are there; each of their records says it. */
type Counts = Pick<KnownRows, "floorMs" | "attemptCount" | "auditCount">;

function countAfter(known: KnownRows, writes: readonly RowWrite[]): Counts {
  let { floorMs, attemptCount, auditCount } = known;
  for (const write of writes) {
    if (write.kind === "append_audit") auditCount += 1;
    else if (write.kind === "insert_attempt") attemptCount += 1;
    else if (write.kind === "raise_floor") ({ floorMs } = write);
  }
  invariant(auditCount > known.auditCount, "every transaction that writes appends a record");
  return { floorMs, attemptCount, auditCount };
}

function writeRow(statements: Statements, write: RowWrite, counts: Counts): void {
  switch (write.kind) {
    case "append_audit": {
      const { record, text, sha256 } = write;
      const { floorMs, attemptCount, auditCount } = counts;
      const { sequence } = record;
      statements("appendRecord").run(sequence, sha256, text, floorMs, attemptCount, auditCount);
      return;
    }
    case "insert_attempt": {
      const { attempt } = write;
      const { id, owner, state, operation, created_at_ms: createdAtMs } = attempt;
      const settled = isAttemptTerminal(state) ? 1 : 0;
      const body = JSON.stringify(attempt);
      statements("insertAttempt").run(id, owner, state, settled, operation, createdAtMs, body);
      return;
    }
    case "update_attempt": {
      const { attempt } = write;
      const { id, owner, state } = attempt;
      const settled = isAttemptTerminal(state) ? 1 : 0;
      const body = JSON.stringify(attempt);
      const changed = statements("updateAttempt").run(state, settled, body, id, owner);
      invariant(changed === 1, "an attempt to update is there");
      return;
    }
    case "put_reservation": {
      const { namespace, attempt } = write.reservation;
      statements("putReservation").run(namespace, attempt, JSON.stringify(write.reservation));
      return;
    }
    case "insert_spend": {
      const { issuer, reference, attempt } = write.spend;
      statements("insertSpend").run(issuer, reference, attempt, JSON.stringify(write.spend));
      return;
    }
    case "put_owner": {
      const { nonce, state } = write.owner;
      statements("putOwner").run(nonce, state, JSON.stringify(write.owner));
      return;
    }
    case "insert_observation": {
      const { attempt, ordinal } = write.observation;
      const body = JSON.stringify(write.observation);
      statements("insertObservation").run(attempt, ordinal, body);
      return;
    }
    case "insert_policy":
      statements("insertPolicy").run(write.policy.revision, JSON.stringify(write.policy));
      return;
    case "put_approver":
      statements("putApprover").run(write.approver.kid, JSON.stringify(write.approver));
      return;
    case "raise_floor":
      // Every record of the decision carries it.
      return;
  }
}
