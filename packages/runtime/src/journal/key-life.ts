import type { KeyReservation, TimeMs } from "@connectors/domain";

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
