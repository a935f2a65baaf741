import assert from "node:assert/strict";
import { keyRetentionMs, parseFingerprint, type KeptOutcome } from "@connectors/domain";
import {
  fixtureAttemptId,
  fixtureFingerprint,
  fixtureKey,
  fixtureTime,
  makeFixtureOutcome,
  makeFixturePolicy,
  makeFixtureProof,
} from "./journal-fixtures.js";
import {
  abortRequest,
  anchorRequest,
  beginRequest,
  gateRequest,
  putPolicyRequest,
  settleRequest,
} from "./journal-requests.js";
import {
  expectKind,
  openScene,
  readAttempt,
  readEverything,
  readReservation,
  type JournalCase,
  type JournalScene,
} from "./journal-scene.js";

const key = fixtureKey("order-17");
const yearMs = 365 * 86_400_000;

/** Keys: one winner, for as long as its retention, and for ever when nothing is known. */
export const keyCases: readonly JournalCase[] = [
  {
    name: "a live key's winner is answered to every request under it, and nothing is written",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginKeyed(1)), "prepared");
      for (const fingerprint of [fixtureFingerprint("one"), fixtureFingerprint("two")]) {
        const before = await readEverything(scene);
        const found = expectKind(await scene.send(beginKeyed(2, 0, { fingerprint })), "exists");
        assert.equal(found.attempt.id, fixtureAttemptId(1));
        assert.equal(found.reservation.fingerprint, fixtureFingerprint("one"));
        assert.deepEqual(await readEverything(scene), before);
      }
    },
  },
  {
    name: "a live key's winner is answered before anything can refuse",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginKeyed(1)), "prepared");
      expectKind(await scene.send(putPolicyRequest(makeFixturePolicy(2))), "done");
      expectKind(await scene.send(anchorRequest(1, 3_600_000)), "done");
      const stranger = beginKeyed(2, 0, { proof: makeFixtureProof(1) });
      const nobody = { ...stranger.attempt, owner: "00000000-0000-4000-8000-00000000dead" };
      expectKind(await scene.send({ ...stranger, attempt: nobody }), "exists");
    },
  },
  {
    name: "keys are equal as whole strings alone",
    async run(harness) {
      const scene = await openScene(harness);
      const others = ["order-1", "order-170", "Order-17", "order-17 ", "\u00e9", "e\u0301", "%"];
      expectKind(await scene.send(beginKeyed(1)), "prepared");
      for (const [at, other] of others.entries()) {
        const n = at + 2;
        const begin = beginRequest(n, { of: { key_namespace: fixtureKey(other) } });
        expectKind(await scene.send(begin), "prepared");
      }
    },
  },
  ...(["applied", "refused", "not_attempted"] as const).map((classification): JournalCase => {
    return {
      name: `a key whose attempt ended ${classification} answers until its retention is over`,
      run: async (harness) => {
        const scene = await openScene(harness);
        const outcome = makeFixtureOutcome(classification);
        const settledAtMs = 7_000;
        await runToEnd(scene, 1, outcome, settledAtMs);
        const kept = await readReservation(scene, key);
        assert.equal(kept.state, "Replayable");
        assert.equal(kept.expires_at_ms, fixtureTime(settledAtMs + keyRetentionMs));
        const last = settledAtMs + keyRetentionMs - 1;
        const found = expectKind(await scene.send(beginKeyed(2, last)), "exists");
        assert.deepEqual(found.attempt.outcome, outcome);
        assert.deepEqual(await readReservation(scene, key), kept, "looking does not prolong it");
        await beginsAnew(scene, 2, last + 1);
        assert.deepEqual((await readAttempt(scene, 1)).outcome, outcome, "the old fact stays");
      },
    };
  }),
  {
    name: "settling again does not prolong a key",
    async run(harness) {
      const scene = await openScene(harness);
      const outcome = makeFixtureOutcome("applied");
      await runToEnd(scene, 1, outcome, 0);
      const kept = await readReservation(scene, key);
      const again = settleRequest(1, outcome, { now_ms: fixtureTime(3_600_000) });
      expectKind(await scene.send(again), "settled");
      assert.deepEqual(await readReservation(scene, key), kept);
    },
  },
  {
    name: "a key whose attempt is unknown is quarantined for ever",
    async run(harness) {
      const scene = await openScene(harness);
      await runToEnd(scene, 1, makeFixtureOutcome("unknown"), 0);
      const kept = await readReservation(scene, key);
      assert.deepEqual([kept.state, kept.expires_at_ms], ["Quarantined", null]);
      const found = expectKind(await scene.send(beginKeyed(2, 20 * yearMs)), "exists");
      assert.equal(found.attempt.state, "Indeterminate");
    },
  },
  {
    name: "a pending key does not expire",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginKeyed(1)), "prepared");
      expectKind(await scene.send(beginKeyed(2, 20 * yearMs)), "exists");
      expectKind(await scene.send(gateRequest(1)), "opened");
      expectKind(await scene.send(beginKeyed(2, 20 * yearMs)), "exists");
    },
  },
  {
    name: "a key expires by the store's time: a clock set back does not revive it",
    async run(harness) {
      const scene = await openScene(harness);
      await runToEnd(scene, 1, makeFixtureOutcome("applied"), 0);
      expectKind(await scene.send(anchorRequest(1, keyRetentionMs)), "done");
      const before = await readReservation(scene, key);
      const late = beginKeyed(2, keyRetentionMs - 1000, freshProof(2, keyRetentionMs));
      expectKind(await scene.send(late), "prepared");
      assert.notDeepEqual(await readReservation(scene, key), before);
    },
  },
  {
    name: "a fingerprint is kept and given back whole",
    async run(harness) {
      const scene = await openScene(harness);
      const parsed = parseFingerprint(JSON.stringify(["mutation-request/2", "é".repeat(8000)]));
      assert.ok(parsed.ok);
      const begin = beginKeyed(1, 0, { fingerprint: parsed.value });
      expectKind(await scene.send(begin), "prepared");
      assert.equal((await readReservation(scene, key)).fingerprint, parsed.value);
    },
  },
];

function beginKeyed(
  n: number,
  offsetMs = 0,
  change: Partial<ReturnType<typeof beginRequest>> = {},
): ReturnType<typeof beginRequest> {
  const now = { now_ms: fixtureTime(offsetMs) };
  return beginRequest(n, { of: { key_namespace: key }, ...now, ...change });
}

function freshProof(n: number, offsetMs: number): Partial<ReturnType<typeof beginRequest>> {
  return {
    proof: makeFixtureProof(n, offsetMs),
    attempt: {
      ...beginKeyed(n).attempt,
      expires_at_ms: fixtureTime(offsetMs + 600_000),
    },
  };
}

async function beginsAnew(scene: JournalScene, n: number, offsetMs: number): Promise<void> {
  const begin = beginKeyed(n, offsetMs, freshProof(n, offsetMs));
  expectKind(await scene.send(begin), "prepared");
  const renewed = await readReservation(scene, key);
  assert.deepEqual([renewed.attempt, renewed.state], [fixtureAttemptId(n), "Pending"]);
}

async function runToEnd(
  scene: JournalScene,
  n: number,
  outcome: KeptOutcome,
  settledAtMs: number,
): Promise<void> {
  const now = { now_ms: fixtureTime(settledAtMs) };
  expectKind(await scene.send(beginKeyed(n)), "prepared");
  if (outcome.classification === "not_attempted") {
    expectKind(await scene.send(abortRequest(n, outcome, now)), "settled");
    return;
  }
  expectKind(await scene.send(gateRequest(n)), "opened");
  expectKind(await scene.send(settleRequest(n, outcome, now)), "settled");
}
