import assert from "node:assert/strict";
import {
  clockBackstepMsMax,
  proofLifetimeS,
  type Approver,
  type JournalRequest,
  type JournalRequestBegin,
} from "@connectors/domain";
import {
  fixtureAttemptId,
  fixtureKey,
  fixtureKid,
  fixtureName,
  fixtureTime,
  makeFixtureApprover,
  makeFixtureOutcome,
  makeFixturePolicy,
  makeFixtureProof,
} from "./journal-fixtures.js";
import {
  abortRequest,
  anchorRequest,
  beginRequest,
  gateRequest,
  putApproverRequest,
  putPolicyRequest,
  settleRequest,
} from "./journal-requests.js";
import {
  caseDeadlineMs,
  expectKind,
  expectRefusal,
  openScene,
  readAttempt,
  readChain,
  readEverything,
  readReservation,
  type JournalCase,
} from "./journal-scene.js";

const lifetimeMs = proofLifetimeS * 1000;
const signedLater = makeFixtureProof(1, 100_000);

/** Step 7: what it records, and each reason for which it records nothing. */
export const beginCases: readonly JournalCase[] = [
  {
    name: "begin records attempt, pending key and spent proof together",
    async run(harness) {
      const scene = await openScene(harness);
      const key = fixtureKey("a");
      const begin = beginRequest(1, { of: { key_namespace: key } });
      const { attempt } = expectKind(await scene.send(begin), "prepared");
      assert.deepEqual(await readAttempt(scene, 1), attempt);
      assert.deepEqual(await readReservation(scene, key), {
        namespace: key,
        fingerprint: begin.fingerprint,
        attempt: attempt.id,
        state: "Pending",
        expires_at_ms: null,
      });
      const { head, records } = await readChain(scene);
      assert.deepEqual(attempt.audit, head);
      assert.equal(records.at(-1)?.body.kind, "decision");
      const replay = beginRequest(2, { proof: makeFixtureProof(1) });
      const refused = expectKind(await scene.send(replay), "refused");
      assert.equal(refused.code, "approval_replayed");
      assert.equal(refused.attempt, attempt.id);
    },
  },
  {
    name: "begin records what the transaction decided, whatever the request claims",
    async run(harness) {
      const scene = await openScene(harness);
      const claims = {
        state: "Completed",
        approver: fixtureName("mallory"),
        created_at_ms: fixtureTime(-9),
        dispatched_at_ms: fixtureTime(),
        settled_at_ms: fixtureTime(),
        outcome: makeFixtureOutcome("applied"),
      } as const;
      const begin = beginRequest(1, { of: claims, now_ms: fixtureTime(5) });
      const { attempt } = expectKind(await scene.send(begin), "prepared");
      const { state, approver, created_at_ms: createdAtMs, outcome } = attempt;
      assert.deepEqual(
        [state, approver, createdAtMs, attempt.dispatched_at_ms, attempt.settled_at_ms, outcome],
        ["Prepared", "bob", fixtureTime(5), null, null, null],
      );
    },
  },
  {
    name: "a write that needs no approval spends no proof",
    async run(harness) {
      const scene = await openScene(harness);
      const begin = beginRequest(1, { proof: null });
      const { attempt } = expectKind(await scene.send(begin), "prepared");
      assert.deepEqual([attempt.approver, attempt.reference], [null, null]);
      expectKind(await scene.send(gateRequest(1, { proof: null })), "opened");
    },
  },
  {
    name: "a spent proof stays spent, whatever became of its attempt",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const ends = [
        () => scene.send(abortRequest(1, makeFixtureOutcome("not_attempted"))),
        () => scene.send(putPolicyRequest(makeFixturePolicy(2))),
        () => scene.send(changeApprover({ state: "revoked" })),
      ];
      for (const end of ends) {
        await end();
        const again = beginRequest(2, { proof: makeFixtureProof(1) });
        const refused = expectKind(await scene.send(again), "refused");
        assert.equal(refused.code, "approval_replayed");
        assert.equal(refused.attempt, fixtureAttemptId(1));
      }
    },
  },
  {
    name: "an attempt's id is used once",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const again = beginRequest(1, { proof: makeFixtureProof(2) });
      await expectRefusal(scene, again, "lifecycle_conflict");
    },
  },
  {
    name: "a begin whose attempt's id another key has changes nothing, and fails alone",
    async run(harness) {
      const scene = await openScene(harness);
      const keyed = (key: string): JournalRequestBegin["attempt"] =>
        beginRequest(1, { of: { key_namespace: fixtureKey(key) } }).attempt;
      expectKind(await scene.send(beginRequest(1, { attempt: keyed("a") })), "prepared");
      const before = await readEverything(scene);
      const again = beginRequest(2, { attempt: keyed("b") });
      const outcome = await scene.process.journal.transact(again, { deadlineMs: caseDeadlineMs });
      assert.equal(outcome.ok ? outcome.value.kind : outcome.failure.certainty, "definite");
      assert.deepEqual(await readEverything(scene), before);
      expectKind(await scene.send(beginRequest(3)), "prepared");
    },
  },
  {
    name: "begin is admitted at the first and the last millisecond of its proof",
    async run(harness) {
      const scene = await openScene(harness);
      const first = beginRequest(1, { proof: signedLater, now_ms: fixtureTime(95_000) });
      expectKind(await scene.send(first), "prepared");
      const proof = makeFixtureProof(2);
      const last = beginRequest(2, { proof, now_ms: fixtureTime(lifetimeMs - 1) });
      expectKind(await scene.send(last), "prepared");
    },
  },
  {
    name: "a clock that stepped back by no more than a correction begins at the store's time",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(anchorRequest(1, clockBackstepMsMax)), "done");
      const { attempt } = expectKind(await scene.send(beginRequest(1)), "prepared");
      assert.equal(attempt.created_at_ms, fixtureTime(clockBackstepMsMax));
    },
  },
  {
    name: "a clock that stepped back by more anchors nothing, so that its provider is asked nothing",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(anchorRequest(1, clockBackstepMsMax + 1)), "done");
      await expectRefusal(scene, anchorRequest(1), "unavailable");
      expectKind(await scene.send(anchorRequest(1, 1)), "done");
    },
  },
  {
    name: "a key retired after it signed is good for as long as its proof, and no longer",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(changeApprover({ state: "retired" })), "done");
      const last = beginRequest(1, { now_ms: fixtureTime(lifetimeMs - 1) });
      expectKind(await scene.send(last), "prepared");
      const proof = { ...makeFixtureProof(2), exp_ms: fixtureTime(lifetimeMs + 1) };
      const late = beginRequest(2, { proof, now_ms: fixtureTime(lifetimeMs) });
      await expectRefusal(scene, late, "approval_refused", "revoked_key");
    },
  },
  {
    name: "an approver's proof is good for the operations and adapters of its row alone",
    async run(harness) {
      const scene = await openScene(harness);
      const rows: readonly (readonly [Partial<Approver>, boolean])[] = [
        [{ operations: ["pods.exec"] }, false],
        [{ adapters: ["staging"] }, false],
        [{ operations: ["deployment.rollout_restart"], adapters: ["prod"] }, true],
      ];
      for (const [n, [row, permitted]] of rows.entries()) {
        const rowKid = fixtureKid(n + 1);
        const approver = makeFixtureApprover({ ...row, kid: rowKid });
        expectKind(await scene.send(putApproverRequest(approver)), "done");
        const begin = beginRequest(n, { proof: { ...makeFixtureProof(n), kid: rowKid } });
        if (permitted) expectKind(await scene.send(begin), "prepared");
        else await expectRefusal(scene, begin, "approval_refused", "not_permitted");
      }
    },
  },
  {
    name: "a settled attempt without a key is no winner for the next one",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      expectKind(await scene.send(gateRequest(1)), "opened");
      expectKind(await scene.send(settleRequest(1, makeFixtureOutcome("applied"))), "settled");
      expectKind(await scene.send(beginRequest(2)), "prepared");
    },
  },
];

function changeApprover(change: Partial<Approver>): JournalRequest {
  return putApproverRequest(makeFixtureApprover(change));
}
