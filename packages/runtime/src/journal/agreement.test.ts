import type { Attempt, JournalRequest, KeyReservation } from "@connectors/domain";
import { describe, expect, test } from "vitest";
import {
  fixtureAttemptId,
  fixtureKey,
  fixtureKid,
  fixtureName,
  fixtureNonce,
  fixtureTime,
  makeFixtureApprover,
  makeFixtureAttempt,
  makeFixtureOutcome,
  makeFixtureOwner,
  makeFixturePolicy,
  makeFixtureProof,
} from "../testing/journal-fixtures.js";
import {
  abortRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  recoverRequest,
  releaseOwnerRequest,
  settleRequest,
} from "../testing/journal-requests.js";
import { journalMachine } from "./machine.js";
import type { Rows } from "./rows.js";

const key = fixtureKey("a");
const owner = makeFixtureOwner(1);
const prepared = makeFixtureAttempt(1, {
  key_namespace: key,
  approver: fixtureName("bob"),
  reference: makeFixtureProof(1).reference,
});
const dispatching: Attempt = {
  ...prepared,
  state: "Dispatching",
  dispatched_at_ms: fixtureTime(),
};
const completed: Attempt = {
  ...dispatching,
  state: "Completed",
  settled_at_ms: fixtureTime(),
  outcome: makeFixtureOutcome("applied"),
};
const pending: KeyReservation = {
  namespace: key,
  fingerprint: beginRequest(1).fingerprint,
  attempt: prepared.id,
  state: "Pending",
  expires_at_ms: null,
};
const replayable: KeyReservation = {
  ...pending,
  state: "Replayable",
  expires_at_ms: fixtureTime(9),
};

const rows: Rows = {
  head: { sequence: prepared.anchor, sha256: prepared.input_sha256 },
  auditCount: 9,
  attemptCount: 1,
  floorMs: 0,
  policy: makeFixturePolicy(1),
  owner,
  reservation: pending,
  attempt: prepared,
  spend: {
    issuer: fixtureName("bob"),
    reference: makeFixtureProof(1).reference,
    attempt: prepared.id,
    kid: fixtureKid(0),
    at_ms: fixtureTime(),
  },
  approver: makeFixtureApprover(),
  openAttempts: [],
  observationCount: 0,
  approverCount: 1,
};

const begin = beginRequest(2, { of: { key_namespace: key } });
const settle = settleRequest(1, makeFixtureOutcome("applied"));

/** Rows that cannot all be true, and a transaction that meets them. */
const contradictions: readonly (readonly [string, JournalRequest, Partial<Rows>])[] = [
  ["a reservation whose attempt is not there", begin, { attempt: null, spend: null }],
  ["an open attempt whose key is not there", gateRequest(1), { reservation: null }],
  [
    "another key's reservation",
    begin,
    { reservation: { ...pending, namespace: fixtureKey("ab") } },
  ],
  [
    "another attempt than its reservation names",
    begin,
    { attempt: { ...prepared, id: fixtureAttemptId(7) } },
  ],
  [
    "another attempt than was asked for",
    gateRequest(1),
    { attempt: { ...prepared, id: fixtureAttemptId(7) } },
  ],
  ["another process than was asked for", gateRequest(1), { owner: makeFixtureOwner(2) }],
  [
    "another proof than was asked for",
    gateRequest(1),
    {
      spend: {
        issuer: fixtureName("eve"),
        reference: makeFixtureProof(1).reference,
        attempt: prepared.id,
        kid: fixtureKid(0),
        at_ms: fixtureTime(),
      },
    },
  ],
  [
    "another key's row than was asked for",
    gateRequest(1),
    { approver: makeFixtureApprover({ kid: fixtureKid(5) }) },
  ],
  ["records without a head", begin, { head: null }],
  ["an open attempt of a dead process", gateRequest(1), { owner: { ...owner, state: "dead" } }],
  [
    "an open attempt of a released process",
    abortRequest(1, makeFixtureOutcome("not_attempted")),
    { owner: { ...owner, state: "released" } },
  ],
  ["an open attempt whose key answers", gateRequest(1), { reservation: replayable }],
  [
    "an open attempt that is quarantined",
    gateRequest(1),
    { reservation: { ...pending, state: "Quarantined" } },
  ],
  ["a pending key whose attempt is settled", begin, { attempt: completed }],
  [
    "a quarantined key whose attempt is known",
    begin,
    { attempt: completed, reservation: { ...pending, state: "Quarantined" } },
  ],
  [
    "an answering key without an expiry",
    begin,
    { attempt: completed, reservation: { ...replayable, expires_at_ms: null } },
  ],
  [
    "a pending key with an expiry",
    begin,
    { reservation: { ...pending, expires_at_ms: fixtureTime() } },
  ],
  [
    "an expired key whose attempt is open",
    begin,
    { reservation: { ...pending, state: "Expired" } },
  ],
  [
    "an attempt that is prepared and dispatched",
    gateRequest(1),
    { attempt: { ...prepared, dispatched_at_ms: fixtureTime() } },
  ],
  [
    "an attempt that was opened at no time",
    settle,
    { attempt: { ...dispatching, dispatched_at_ms: null } },
  ],
  [
    "an open attempt with an outcome",
    settle,
    { attempt: { ...dispatching, outcome: makeFixtureOutcome("applied") } },
  ],
  [
    "a settled attempt without an outcome",
    settle,
    { attempt: { ...completed, outcome: null }, reservation: replayable },
  ],
  [
    "a settled attempt without its time",
    settle,
    { attempt: { ...completed, settled_at_ms: null }, reservation: replayable },
  ],
  [
    "a completed attempt that was refused",
    settle,
    { attempt: { ...completed, outcome: makeFixtureOutcome("refused") }, reservation: replayable },
  ],
  [
    "a spent proof of another attempt at the gate",
    gateRequest(1),
    {
      spend: {
        issuer: fixtureName("bob"),
        reference: makeFixtureProof(1).reference,
        attempt: fixtureAttemptId(8),
        kid: fixtureKid(0),
        at_ms: fixtureTime(),
      },
    },
  ],
  ["an attempt at its gate whose proof is not spent", gateRequest(1), { spend: null }],
  [
    "an attempt to annotate that contradicts its key",
    annotateRequest(1, "seen"),
    { reservation: replayable },
  ],
  [
    "another process's attempt among the open ones",
    recoverRequest(1, 2),
    { openAttempts: [{ attempt: { ...prepared, owner: fixtureNonce(5) }, reservation: pending }] },
  ],
  [
    "a settled attempt among the open ones",
    releaseOwnerRequest(1),
    { openAttempts: [{ attempt: completed, reservation: replayable }] },
  ],
  [
    "an open attempt of a released process to recover",
    recoverRequest(1, 2),
    {
      owner: { ...owner, state: "released" },
      openAttempts: [{ attempt: prepared, reservation: pending }],
    },
  ],
  [
    "an open attempt without its key's reservation to recover",
    recoverRequest(1, 2),
    { openAttempts: [{ attempt: prepared, reservation: null }] },
  ],
];

describe("rows that contradict each other", () => {
  test.each(contradictions)(
    "%s: the store is unavailable, and nothing is written",
    (_, request, change) => {
      const needed = journalMachine.rowsNeeded(request);
      const shown = narrow({ ...rows, ...change }, needed);
      expect(journalMachine.decide(request, shown)).toEqual({
        answer: { kind: "refused", code: "unavailable", reason: null, attempt: null },
        writes: [],
      });
    },
  );

  test("the same rows without the contradiction are decided", () => {
    const gate = journalMachine.decide(gateRequest(1), rows);
    expect(gate.answer.kind).toBe("opened");
    const opened = { attempt: dispatching };
    const settled = journalMachine.decide(
      settle,
      narrow({ ...rows, ...opened }, journalMachine.rowsNeeded(settle)),
    );
    expect(settled.answer.kind).toBe("settled");
    const winner = journalMachine.decide(begin, narrow(rows, journalMachine.rowsNeeded(begin)));
    expect(winner.answer.kind).toBe("exists");
  });

  test("an old attempt whose key was bound anew contradicts nothing", () => {
    const request = annotateRequest(1, "seen later");
    const renewed = { ...pending, attempt: fixtureAttemptId(4) };
    const shown = narrow(
      { ...rows, attempt: completed, reservation: renewed },
      journalMachine.rowsNeeded(request),
    );
    expect(journalMachine.decide(request, shown).answer.kind).toBe("done");
  });
});

// What a store loads: nothing that was not asked for.
function narrow(all: Rows, needed: ReturnType<typeof journalMachine.rowsNeeded>): Rows {
  const asked = needed.key !== null || needed.attempt !== null;
  return {
    ...all,
    owner: needed.owner === null ? null : all.owner,
    reservation: asked ? all.reservation : null,
    attempt: asked ? all.attempt : null,
    spend: needed.spend === null ? null : withoutSpend(all, needed.key !== null),
    approver: needed.kid === null ? null : all.approver,
    openAttempts: needed.openAttemptsOf === null ? [] : all.openAttempts,
  };
}

// The second attempt's proof was not spent.
function withoutSpend(all: Rows, second: boolean): Rows["spend"] {
  return second ? null : all.spend;
}
