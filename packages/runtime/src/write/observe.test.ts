import {
  attemptStateValues,
  keyStateValues,
  type Attempt,
  type AttemptState,
  type KeyReservation,
} from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { coupledKeyState } from "../journal/key-life.js";
import { toTimeMs } from "../journal/measure.js";
import {
  fixtureAttemptId,
  fixtureFingerprint,
  fixtureKey,
  makeFixtureAttempt,
} from "../testing/journal-fixtures.js";
import { sightKey } from "./observe.js";

const fingerprint = fixtureFingerprint("one");

function rowsOf(
  state: AttemptState,
  reservation: Partial<KeyReservation> = {},
): { readonly attempt: Attempt; readonly reservation: KeyReservation } {
  const attempt = makeFixtureAttempt(1, { state, key_namespace: fixtureKey("one") });
  return {
    attempt,
    reservation: {
      namespace: fixtureKey("one"),
      fingerprint,
      attempt: attempt.id,
      state: coupledKeyState(state),
      expires_at_ms: null,
      ...reservation,
    },
  };
}

describe("a look at a key", () => {
  test("sees nothing where no key is", () => {
    expect(sightKey({ reservation: null, attempt: null }, fingerprint, 0).kind).toBe("nothing");
  });

  test.each([
    ["Prepared", "unresolved"],
    ["Dispatching", "unresolved"],
    ["Aborted", "known"],
    ["Completed", "known"],
    ["Failed", "known"],
    ["Indeterminate", "known"],
  ] as const)("sees an attempt that is %s as %s", (state, kind) => {
    expect(sightKey(rowsOf(state), fingerprint, 0).kind).toBe(kind);
  });

  test("sees another request's key as that, and discloses nothing of it", () => {
    for (const state of attemptStateValues) {
      expect(sightKey(rowsOf(state), fixtureFingerprint("two"), 0)).toEqual({
        kind: "other_request",
      });
    }
  });

  test("sees a known result until its retention is over, and then nothing", () => {
    const rows = rowsOf("Completed", { expires_at_ms: toTimeMs(1000) });
    expect(sightKey(rows, fingerprint, 999).kind).toBe("known");
    expect(sightKey(rows, fingerprint, 1000).kind).toBe("nothing");
    expect(sightKey(rows, fixtureFingerprint("two"), 1000).kind).toBe("nothing");
  });

  test("concludes nothing from rows that contradict each other", () => {
    for (const state of attemptStateValues) {
      const rows = rowsOf(state);
      for (const other of keyStateValues) {
        if (other === coupledKeyState(state) || other === "Expired") continue;
        const reservation = { ...rows.reservation, state: other };
        expect(sightKey({ ...rows, reservation }, fingerprint, 0).kind).toBe("unreadable");
      }
      expect(sightKey({ ...rows, attempt: null }, fingerprint, 0).kind).toBe("unreadable");
      for (const broken of [
        { attempt: fixtureAttemptId(9) },
        { namespace: fixtureKey("other") },
      ] as const) {
        const reservation = { ...rows.reservation, ...broken };
        expect(sightKey({ ...rows, reservation }, fingerprint, 0).kind).toBe("unreadable");
      }
    }
  });
});
