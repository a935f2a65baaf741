import assert from "node:assert/strict";
import { observationsMax, type Approver } from "@connectors/domain";
import {
  fixtureAttemptId,
  fixtureKid,
  fixtureName,
  fixtureTime,
  makeFixtureApprover,
  makeFixturePolicy,
} from "./journal-fixtures.js";
import {
  annotateRequest,
  beginRequest,
  putApproverRequest,
  putPolicyRequest,
} from "./journal-requests.js";
import {
  expectKind,
  expectRefusal,
  openScene,
  readAttempt,
  type JournalCase,
} from "./journal-scene.js";

/** Evidence, the policy and the approvers' table. */
export const recordCases: readonly JournalCase[] = [
  {
    name: "evidence is kept in its order, up to its bound, and moves no state",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const before = await readAttempt(scene, 1);
      for (let n = 0; n < observationsMax; n += 1) {
        expectKind(await scene.send(annotateRequest(1, `seen ${n}`)), "done");
      }
      await expectRefusal(scene, annotateRequest(1, "one more"), "capacity");
      const { observations } = await scene.read({
        kind: "observations",
        attempt: fixtureAttemptId(1),
      });
      assert.deepEqual(
        observations.map((one) => [one.ordinal, one.text]),
        Array.from({ length: observationsMax }, (_, n) => [n, `seen ${n}`]),
      );
      assert.deepEqual(await readAttempt(scene, 1), before);
    },
  },
  {
    name: "evidence belongs to an attempt",
    async run(harness) {
      const scene = await openScene(harness);
      await expectRefusal(scene, annotateRequest(1, "of nothing"), "not_found");
    },
  },
  {
    name: "a policy replaces the one that its author saw, and every revision stays readable",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(putPolicyRequest(makeFixturePolicy(2))), "done");
      await expectRefusal(scene, putPolicyRequest(makeFixturePolicy(2)), "lifecycle_conflict");
      const first = putPolicyRequest(makeFixturePolicy(1));
      await expectRefusal(scene, first, "lifecycle_conflict");
      for (const revision of [1, 2]) {
        const policy = makeFixturePolicy(revision);
        const view = await scene.read({ kind: "policy", revision: policy.revision });
        assert.deepEqual(view.policy, policy);
      }
      const newest = await scene.read({ kind: "policy", revision: null });
      assert.equal(newest.policy?.revision, 2);
      const absent = makeFixturePolicy(3).revision;
      assert.equal((await scene.read({ kind: "policy", revision: absent })).policy, null);
    },
  },
  {
    name: "a policy counts up by one and carries its document's own digest",
    async run(harness) {
      const scene = await openScene(harness);
      const skips = { ...putPolicyRequest(makeFixturePolicy(3)), expected: first.revision };
      await expectRefusal(scene, skips, "internal");
      const { sha256 } = first;
      const second = { ...makeFixturePolicy(2), sha256 };
      await expectRefusal(scene, putPolicyRequest(second), "internal");
    },
  },
  {
    name: "an approver's key moves from active to retired or revoked, and never back",
    async run(harness) {
      const scene = await openScene(harness);
      await expectRefusal(scene, put({}), "lifecycle_conflict");
      expectKind(
        await scene.send(put({ state: "retired", changed_at_ms: fixtureTime(9) })),
        "done",
      );
      await expectRefusal(scene, put({}), "lifecycle_conflict");
      await expectRefusal(scene, put({ state: "retired" }), "lifecycle_conflict");
      expectKind(await scene.send(put({ state: "revoked" })), "done");
      for (const state of ["active", "retired", "revoked"] as const) {
        await expectRefusal(scene, put({ state }), "lifecycle_conflict");
      }
      const { approvers } = await scene.read({ kind: "approvers" });
      assert.deepEqual(
        approvers.map((row) => [row.state, row.created_at_ms, row.changed_at_ms]),
        [["revoked", fixtureTime(), fixtureTime(9)]],
      );
    },
  },
  {
    name: "nothing of an approver's key but its state ever changes",
    async run(harness) {
      const scene = await openScene(harness);
      const changes: readonly Partial<Approver>[] = [
        { name: fixtureName("mallory") },
        { public_key: "Q".repeat(43) },
        { operations: ["pods.exec"] },
        { adapters: ["prod"] },
      ];
      for (const change of changes) {
        await expectRefusal(scene, put({ ...change, state: "retired" }), "lifecycle_conflict");
      }
    },
  },
  {
    name: "a new approver's key is active",
    async run(harness) {
      const scene = await openScene(harness);
      for (const state of ["retired", "revoked"] as const) {
        await expectRefusal(scene, put({ kid: fixtureKid(1), state }), "lifecycle_conflict");
      }
      expectKind(await scene.send(put({ kid: fixtureKid(1) })), "done");
      const { approvers } = await scene.read({ kind: "approvers" });
      assert.deepEqual(approvers.map((row) => row.kid).toSorted(), [fixtureKid(0), fixtureKid(1)]);
    },
  },
];

const first = makeFixturePolicy(1);

function put(change: Partial<Approver>): ReturnType<typeof putApproverRequest> {
  return putApproverRequest(makeFixtureApprover(change));
}
