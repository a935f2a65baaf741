import type { Attempt, KeyReservation } from "@connectors/domain";
import { makeFailure } from "@connectors/sdk";
import { coupledKeyState, isReservationLive } from "../journal/key-life.js";
import { toTimeMs } from "../journal/measure.js";
import type { WriteRun } from "./write-run.js";
import type { Sighting } from "./write-state.js";

/** Step 2: what the ledger knows of this write's key. Reads one row, and spends nothing. */
export async function observe(run: WriteRun): Promise<Sighting> {
  const { namespace, fingerprint } = run.frozen;
  if (namespace === null) return { kind: "nothing" };
  const view = await run.scope.journal.query({ kind: "key", namespace });
  if (!view.ok) return { kind: "unreadable", failure: view.failure };
  return sightKey(view.value, fingerprint, run.scope.ambient.clock.nowMs());
}

/**
 * What a key's rows mean to a request with this fingerprint, at this time.
 *
 * Rows that contradict each other are unreadable, never nothing: a lost row read as an absent one
 * would be a second dispatch.
 */
export function sightKey(
  rows: { readonly reservation: KeyReservation | null; readonly attempt: Attempt | null },
  fingerprint: string,
  nowMs: number,
): Sighting {
  const { reservation, attempt } = rows;
  if (reservation === null) return { kind: "nothing" };
  if (!isReservationLive(reservation, toTimeMs(nowMs))) return { kind: "nothing" };
  if (attempt === null || !areCoupled(reservation, attempt)) {
    return {
      kind: "unreadable",
      failure: makeFailure("unavailable", "The ledger's rows for this key contradict each other."),
    };
  }
  if (reservation.fingerprint !== fingerprint) return { kind: "other_request" };
  return reservation.state === "Pending"
    ? { kind: "unresolved", attempt }
    : { kind: "known", attempt };
}

function areCoupled(reservation: KeyReservation, attempt: Attempt): boolean {
  return (
    reservation.attempt === attempt.id &&
    reservation.namespace === attempt.key_namespace &&
    reservation.state === coupledKeyState(attempt.state)
  );
}
