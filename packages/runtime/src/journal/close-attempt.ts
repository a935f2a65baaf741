import {
  stepKey,
  type Attempt,
  type AttemptState,
  type AuditPosition,
  type KeptOutcome,
  type KeyReservation,
  type TimeMs,
} from "@connectors/domain";
import { invariant } from "@connectors/sdk";
import type { JournalLimits } from "./limits.js";
import { toTimeMs } from "./measure.js";
import type { RowWrite } from "./rows.js";

/** An open attempt, and how it ends. */
export interface AttemptClosing {
  readonly attempt: Attempt;
  readonly reservation: KeyReservation | null;
  readonly state: AttemptState;
  readonly outcome: KeptOutcome;
  readonly audit: AuditPosition;
}

/** The ended attempt, and the writes that end it and its key together. */
export function closeAttempt(
  closing: AttemptClosing,
  nowMs: TimeMs,
  limits: JournalLimits,
): { readonly attempt: Attempt; readonly writes: readonly RowWrite[] } {
  const { state, outcome, audit, reservation } = closing;
  const attempt: Attempt = {
    ...closing.attempt,
    state,
    outcome,
    settled_at_ms: nowMs,
    audit,
  };
  const writes: RowWrite[] = [{ kind: "update_attempt", attempt }];
  if (reservation !== null) {
    writes.push({
      kind: "put_reservation",
      reservation: closeReservation(reservation, outcome, nowMs, limits),
    });
  }
  return { attempt, writes };
}

function closeReservation(
  reservation: KeyReservation,
  outcome: KeptOutcome,
  nowMs: TimeMs,
  limits: JournalLimits,
): KeyReservation {
  const known = outcome.classification !== "unknown";
  const state = stepKey(reservation.state, known ? "retain" : "quarantine");
  invariant(state !== undefined, "an open attempt's key is Pending");
  // Counted from the settling and never from a replay: retention does not slide.
  const expiresAtMs = known ? toTimeMs(nowMs + limits.keyRetentionMs) : null;
  return { ...reservation, state, expires_at_ms: expiresAtMs };
}
