import assert from "node:assert/strict";
import type { JournalRequest } from "@connectors/domain";
import {
  fixtureNonce,
  fixtureTime,
  makeFixtureApprover,
  makeFixtureOutcome,
  makeFixturePolicy,
} from "./journal-fixtures.js";
import {
  abandonRequest,
  anchorRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
  refusalRequest,
  recoverRequest,
  releaseOwnerRequest,
  settleRequest,
} from "./journal-requests.js";
import {
  expectKind,
  expectRefusal,
  joinScene,
  openScene,
  type JournalCase,
} from "./journal-scene.js";

/** Registering, releasing, and the locks that tell the living from the dead. */
export const ownerCases: readonly JournalCase[] = [
  {
    name: "a nonce registers once, and never again after it was released",
    async run(harness) {
      const scene = await openScene(harness);
      await expectRefusal(scene, openOwnerRequest(1), "lifecycle_conflict");
      expectKind(await scene.send(releaseOwnerRequest(1)), "done");
      const other = await joinScene(harness, 2);
      await expectRefusal(other, openOwnerRequest(1), "lifecycle_conflict");
    },
  },
  {
    name: "a process registers as a living one",
    async run(harness) {
      const scene = await openScene(harness);
      const request = openOwnerRequest(2);
      const over = { closed_at_ms: fixtureTime() };
      for (const change of [{ state: "dead" }, { state: "released" }, over] as const) {
        const owner = { ...request.owner, ...change };
        await expectRefusal(scene, { ...request, owner }, "internal");
      }
    },
  },
  {
    name: "a process is released only after all of its attempts were closed",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      await expectRefusal(scene, releaseOwnerRequest(1), "lifecycle_conflict");
      expectKind(await scene.send(gateRequest(1)), "opened");
      await expectRefusal(scene, releaseOwnerRequest(1), "lifecycle_conflict");
      expectKind(await scene.send(settleRequest(1, makeFixtureOutcome("applied"))), "settled");
      expectKind(await scene.send(releaseOwnerRequest(1)), "done");
      await expectRefusal(scene, releaseOwnerRequest(1), "lifecycle_conflict");
      const { owners } = await scene.read({ kind: "owners", state: "released" });
      assert.deepEqual(
        owners.map((owner) => [owner.nonce, owner.closed_at_ms !== null]),
        [[fixtureNonce(1), true]],
      );
    },
  },
  {
    name: "a process that never registered, or was released, can write nothing",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(9)), "prepared");
      const other = await joinScene(harness, 2);
      expectKind(await other.send(releaseOwnerRequest(2)), "done");
      for (const n of [2, 3]) {
        for (const request of requestsOf(n)) {
          await expectRefusal(scene, request, "lifecycle_conflict");
        }
      }
    },
  },
  {
    name: "an owner lives while its process holds the lock, and is dead once that process ended",
    async run(harness) {
      const first = await openScene(harness);
      const second = await joinScene(harness, 2);
      assert.equal((await second.process.locks.seize(first.nonce)).kind, "alive");
      await harness.kill(first.process);
      const seized = await second.process.locks.seize(first.nonce);
      assert.equal(seized.kind, "dead");
    },
  },
  {
    name: "a lock that was released, or never held, decides nothing",
    async run(harness) {
      const scene = await openScene(harness);
      const other = await harness.open();
      const held = await other.locks.hold(fixtureNonce(7));
      assert.ok(held.ok);
      await held.value.release();
      assert.equal((await scene.process.locks.seize(fixtureNonce(7))).kind, "undecided");
      assert.equal((await scene.process.locks.seize(fixtureNonce(8))).kind, "undecided");
    },
  },
  {
    name: "a dead owner's lock goes to one recoverer, and on to the next when that one ends too",
    async run(harness) {
      const [first, second, third] = [
        await openScene(harness),
        await joinScene(harness, 2),
        await joinScene(harness, 3),
      ];
      await harness.kill(first.process);
      assert.equal((await second.process.locks.seize(first.nonce)).kind, "dead");
      assert.equal((await third.process.locks.seize(first.nonce)).kind, "alive");
      await harness.kill(second.process);
      assert.equal((await third.process.locks.seize(first.nonce)).kind, "dead");
    },
  },
  {
    name: "a dead owner's lock stays to be found until its recovery is written",
    async run(harness) {
      const first = await openScene(harness);
      const second = await joinScene(harness, 2);
      await harness.kill(first.process);
      const tried = await second.process.locks.seize(first.nonce);
      assert.ok(tried.kind === "dead");
      await tried.release();
      const again = await second.process.locks.seize(first.nonce);
      assert.ok(again.kind === "dead", "nothing was recovered, so it can be tried again");
      expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      await again.release();
      assert.equal((await second.process.locks.seize(first.nonce)).kind, "undecided");
    },
  },
];

function requestsOf(n: number): readonly JournalRequest[] {
  const nonce = fixtureNonce(n);
  const annotation = annotateRequest(9, "seen");
  const policy = putPolicyRequest(makeFixturePolicy(2));
  const approver = putApproverRequest(makeFixtureApprover({ state: "revoked" }));
  return [
    anchorRequest(n),
    refusalRequest(n),
    abandonRequest(n),
    beginRequest(1, { of: { owner: nonce } }),
    { ...annotation, draft: { ...annotation.draft, owner: nonce } },
    { ...policy, draft: { ...policy.draft, owner: nonce } },
    { ...approver, draft: { ...approver.draft, owner: nonce } },
  ];
}
