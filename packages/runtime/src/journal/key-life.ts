import type { Attempt, KeyReservation, KeyState, TimeMs } from "@connectors/domain";

/**
 * Whether the reservation still answers its key at `nowMs`.
 *
 * Pending and Quarantined ones do so for ever; a known result until its retention, counted from its
 * settling, is over. Expiry is a fact of time: no one has to write it down for it to hold.
 */
export function isReservationLive(reservation: KeyReservation, nowMs: TimeMs): boolean {
  switch (reservation.state) {
    case "Pending":
    case "Quarantined":
      return true;
    case "Replayable":
      return reservation.expires_at_ms === null || nowMs < reservation.expires_at_ms;
    case "Expired":
      return false;
  }
}

/** The state that an attempt's key has while the attempt has this state. */
export function coupledKeyState(state: Attempt["state"]): KeyState {
  switch (state) {
    case "Prepared":
    case "Dispatching":
      return "Pending";
    case "Aborted":
    case "Completed":
    case "Failed":
      return "Replayable";
    case "Indeterminate":
      return "Quarantined";
  }
}
