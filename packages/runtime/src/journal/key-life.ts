import {
  decideAttemptObservation,
  isKeyState,
  type AttemptState,
  type KeyReservation,
  type KeyState,
  type TimeMs,
} from "@connectors/domain";
import { invariant } from "@connectors/sdk";

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
export function coupledKeyState(state: AttemptState): KeyState {
  const { key_state: coupled } = decideAttemptObservation({ state });
  invariant(isKeyState(coupled), "the table names states of a key");
  return coupled;
}
