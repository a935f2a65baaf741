import assert from "node:assert/strict";
import {
  fixtureAttemptId,
  fixtureKey,
  fixtureNonce,
  makeFixtureOutcome,
} from "./journal-fixtures.js";
import {
  abortRequest,
  anchorRequest,
  beginRequest,
  gateRequest,
  recoverRequest,
  releaseOwnerRequest,
  settleRequest,
} from "./journal-requests.js";
import {
  expectKind,
  expectRefusal,
  joinScene,
  openScene,
  readAttempt,
  readChain,
  readEverything,
  readReservation,
  type JournalCase,
} from "./journal-scene.js";

/** §8: what a dead process left open, and what it left alone. */
export const recoverCases: readonly JournalCase[] = [
  {
    name: "recovery aborts what was prepared and quarantines what may have been sent",
    async run(harness) {
      const first = await openScene(harness);
      const second = await joinScene(harness, 2);
      const [prepared, dispatching] = [fixtureKey("prepared"), fixtureKey("dispatching")];
      const begins = [
        beginRequest(1, { of: { key_namespace: prepared } }),
        beginRequest(2, { of: { key_namespace: dispatching } }),
      ];
      for (const begin of begins) expectKind(await first.send(begin), "prepared");
      expectKind(await first.send(gateRequest(2)), "opened");
      await harness.kill(first.process);
      const answer = expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      assert.deepEqual(answer.attempts.toSorted(), [fixtureAttemptId(1), fixtureAttemptId(2)]);
      const [one, two] = [await readAttempt(second, 1), await readAttempt(second, 2)];
      assert.deepEqual([one.state, one.outcome?.classification], ["Aborted", "not_attempted"]);
      assert.deepEqual([two.state, two.outcome?.classification], ["Indeterminate", "unknown"]);
      assert.equal(one.outcome?.failure?.retry, "new_key");
      assert.equal(two.outcome?.failure?.code, "outcome_unknown");
      assert.equal((await readReservation(second, prepared)).state, "Replayable");
      assert.equal((await readReservation(second, dispatching)).state, "Quarantined");
      const { owners } = await second.read({ kind: "owners", state: "dead" });
      assert.deepEqual(
        owners.map((owner) => owner.nonce),
        [fixtureNonce(1)],
      );
      const kinds = (await readChain(second)).records.map((record) => record.body.kind);
      assert.deepEqual(kinds.slice(-3), ["recovery", "recovery", "owner"]);
      assert.deepEqual(answer.audit, (await readChain(second)).head);
    },
  },
  {
    name: "recovering an owner again finds nothing to do",
    async run(harness) {
      const first = await openScene(harness);
      const second = await joinScene(harness, 2);
      expectKind(await first.send(beginRequest(1)), "prepared");
      await harness.kill(first.process);
      expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      const before = await readEverything(second);
      const again = expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      assert.deepEqual([again.attempts, again.audit], [[], null]);
      assert.deepEqual(await readEverything(second), before);
    },
  },
  {
    name: "a process that was declared dead can move none of its attempts and begin none",
    async run(harness) {
      const first = await openScene(harness);
      const second = await joinScene(harness, 2);
      expectKind(await first.send(beginRequest(1)), "prepared");
      expectKind(await first.send(beginRequest(2)), "prepared");
      expectKind(await first.send(gateRequest(2)), "opened");
      expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      const before = await readEverything(second);
      expectKind(await first.send(gateRequest(1)), "conflict");
      const never = makeFixtureOutcome("not_attempted");
      expectKind(await first.send(abortRequest(1, never)), "conflict");
      const applied = makeFixtureOutcome("applied");
      expectKind(await first.send(settleRequest(2, applied)), "conflict");
      await expectRefusal(second, beginRequest(3), "lifecycle_conflict");
      await expectRefusal(second, anchorRequest(1), "lifecycle_conflict");
      assert.deepEqual(await readEverything(second), before);
    },
  },
  {
    name: "recovery touches the dead owner's open attempts alone",
    async run(harness) {
      const first = await openScene(harness);
      const second = await joinScene(harness, 2);
      const applied = makeFixtureOutcome("applied");
      expectKind(await first.send(beginRequest(1)), "prepared");
      expectKind(await first.send(gateRequest(1)), "opened");
      expectKind(await first.send(settleRequest(1, applied)), "settled");
      const theirs = { owner: fixtureNonce(2) };
      expectKind(await second.send(beginRequest(2, { of: theirs })), "prepared");
      expectKind(await second.send(gateRequest(2, theirs)), "opened");
      await harness.kill(first.process);
      const answer = expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      assert.deepEqual(answer.attempts, []);
      assert.equal((await readAttempt(second, 1)).state, "Completed");
      expectKind(await second.send(settleRequest(2, applied, theirs)), "settled");
    },
  },
  {
    name: "nobody recovers themselves, a stranger, or one that ended in order",
    async run(harness) {
      const scene = await openScene(harness);
      await expectRefusal(scene, recoverRequest(1, 1), "internal");
      await expectRefusal(scene, recoverRequest(9, 1), "not_found");
      const other = await joinScene(harness, 2);
      expectKind(await other.send(releaseOwnerRequest(2)), "done");
      const before = await readEverything(scene);
      const answer = expectKind(await scene.send(recoverRequest(2, 1)), "recovered");
      assert.deepEqual(answer.attempts, []);
      assert.deepEqual(await readEverything(scene), before);
    },
  },
];
