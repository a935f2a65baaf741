import {
  decideAttemptObservation,
  isAttemptTerminal,
  type Attempt,
  type KeyNamespace,
  type KeyReservation,
} from "@connectors/domain";
import { coupledKeyState } from "./key-life.js";
import type { Rows, RowsNeeded } from "./rows.js";

/**
 * Whether the loaded rows are the ones asked for and can all be true at once.
 *
 * Where they can't, the store is broken, and nothing is concluded from any of them: a lost row read
 * as an absent one would be a second dispatch.
 */
export function doRowsAgree(needed: RowsNeeded, rows: Rows): boolean {
  return (
    areRowsTheOnesNeeded(needed, rows) &&
    isHeadWhole(rows) &&
    isKeyWhole(rows) &&
    (rows.attempt === null || isAttemptWhole(rows.attempt)) &&
    (rows.attempt === null || isOwnerThere(rows.attempt, rows)) &&
    rows.openAttempts.every((open) => isOpenAttemptWhole(open.attempt, open.reservation, rows))
  );
}

function areRowsTheOnesNeeded(needed: RowsNeeded, rows: Rows): boolean {
  const { owner, reservation, attempt, spend, approver } = rows;
  return (
    (owner === null || owner.nonce === needed.owner) &&
    (attempt === null || needed.attempt === null || attempt.id === needed.attempt) &&
    (needed.key === null || isWinnerOf(needed.key, reservation, attempt)) &&
    (spend === null ||
      (spend.issuer === needed.spend?.issuer && spend.reference === needed.spend.reference)) &&
    (approver === null || approver.kid === needed.kid) &&
    rows.openAttempts.every((open) => open.attempt.owner === needed.openAttemptsOf)
  );
}

function isWinnerOf(
  namespace: KeyNamespace,
  reservation: KeyReservation | null,
  attempt: Attempt | null,
): boolean {
  if (reservation === null) return attempt === null;
  // Equality is on the whole string: a prefix or a digest is another caller's key.
  return reservation.namespace === namespace && reservation.attempt === attempt?.id;
}

// A head without records, or records without a head. Their numbers may differ: settled attempts
// are archived with their segment of the chain.
function isHeadWhole(rows: Rows): boolean {
  return rows.head !== null || rows.auditCount === 0;
}

function isKeyWhole(rows: Rows): boolean {
  const { attempt, reservation } = rows;
  if (reservation === null) {
    return attempt === null || attempt.key_namespace === null || isAttemptTerminal(attempt.state);
  }
  return attempt !== null && doKeyAndAttemptAgree(reservation, attempt);
}

function doKeyAndAttemptAgree(reservation: KeyReservation, attempt: Attempt): boolean {
  if (reservation.namespace !== attempt.key_namespace) return false;
  // An expired key is bound anew; its earlier attempt, long settled, keeps naming it.
  if (reservation.attempt !== attempt.id) return isAttemptTerminal(attempt.state);
  const coupled = coupledKeyState(attempt.state);
  if (reservation.state === "Expired") return coupled === "Replayable";
  return (
    reservation.state === coupled &&
    (reservation.expires_at_ms !== null) === (reservation.state === "Replayable")
  );
}

function isAttemptWhole(attempt: Attempt): boolean {
  const { state, outcome, settled_at_ms: settledAtMs, dispatched_at_ms: dispatchedAtMs } = attempt;
  const neverGated = state === "Prepared" || state === "Aborted";
  if (neverGated !== (dispatchedAtMs === null)) return false;
  if (!isAttemptTerminal(state)) return outcome === null && settledAtMs === null;
  const { kind } = decideAttemptObservation({ state });
  return settledAtMs !== null && outcome?.classification === kind;
}

// Releasing and recovering close an owner's attempts in the same transaction that ends the owner.
function isOwnerThere(attempt: Attempt, rows: Rows): boolean {
  if (isAttemptTerminal(attempt.state)) return true;
  return rows.owner?.nonce !== attempt.owner || rows.owner.state === "live";
}

function isOpenAttemptWhole(
  attempt: Attempt,
  reservation: KeyReservation | null,
  rows: Rows,
): boolean {
  return (
    !isAttemptTerminal(attempt.state) &&
    isAttemptWhole(attempt) &&
    isOwnerThere(attempt, rows) &&
    (attempt.key_namespace === null
      ? reservation === null
      : reservation?.attempt === attempt.id && doKeyAndAttemptAgree(reservation, attempt))
  );
}
