import assert from "node:assert/strict";
import {
  clockBackstepMsMax,
  proofLifetimeS,
  type ErrorCode,
  type JournalRequest,
  type JournalRequestGate,
  type RefusalReason,
} from "@connectors/domain";
import {
  fixtureKid,
  fixtureNonce,
  fixtureTime,
  makeFixtureApprover,
  makeFixtureOutcome,
  makeFixturePolicy,
  makeFixtureProof,
  nameFixturePolicy,
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
  expectKind,
  expectRefusal,
  joinScene,
  openScene,
  readAttempt,
  readChain,
  type JournalCase,
} from "./journal-scene.js";

interface GateRefusal {
  readonly why: string;
  readonly before?: readonly JournalRequest[];
  readonly gate?: Partial<JournalRequestGate>;
  readonly code: ErrorCode;
  readonly reason?: RefusalReason;
}

const refusals: readonly GateRefusal[] = [
  {
    why: "its policy was replaced since its begin",
    before: [putPolicyRequest(makeFixturePolicy(2))],
    code: "approval_refused",
    reason: "policy_changed",
  },
  {
    why: "it names the new policy in place of the one it began under",
    before: [putPolicyRequest(makeFixturePolicy(2))],
    gate: { policy: nameFixturePolicy(makeFixturePolicy(2)) },
    code: "approval_refused",
    reason: "policy_changed",
  },
  {
    why: "its approver's key was revoked since its begin",
    before: [putApproverRequest(makeFixtureApprover({ state: "revoked" }))],
    code: "approval_refused",
    reason: "revoked_key",
  },
  {
    why: "its proof's window ended since its begin",
    gate: { now_ms: fixtureTime(proofLifetimeS * 1000) },
    code: "approval_refused",
    reason: "expired",
  },
  {
    why: "the clock stepped back by more than a correction",
    before: [anchorRequest(1, clockBackstepMsMax + 1)],
    code: "unavailable",
  },
  {
    why: "it shows another proof than the one that was spent",
    gate: { proof: makeFixtureProof(2) },
    code: "internal",
  },
  {
    why: "it names another key of its approver than the one that signed",
    before: [putApproverRequest(makeFixtureApprover({ kid: fixtureKid(1) }))],
    gate: { proof: { ...makeFixtureProof(1), kid: fixtureKid(1) } },
    code: "internal",
  },
  {
    why: "it shows no proof where one was spent",
    gate: { proof: null },
    code: "internal",
  },
];

/** Step 8: one sender, or none. */
export const gateCases: readonly JournalCase[] = [
  {
    name: "the gate opens once",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const gate = gateRequest(1, { now_ms: fixtureTime(3) });
      const { attempt } = expectKind(await scene.send(gate), "opened");
      assert.equal(attempt.state, "Dispatching");
      assert.equal(attempt.dispatched_at_ms, fixtureTime(3));
      assert.deepEqual(await readAttempt(scene, 1), attempt);
      const { head } = await readChain(scene);
      assert.deepEqual(attempt.audit, head);
      const again = expectKind(await scene.send(gate), "conflict");
      assert.deepEqual(again.attempt, attempt);
      assert.deepEqual((await readChain(scene)).head, head);
    },
  },
  {
    name: "the gate opens for the process that began, and for no other",
    async run(harness) {
      const scene = await openScene(harness);
      const other = await joinScene(harness, 2);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const foreign = gateRequest(1, { owner: fixtureNonce(2) });
      expectKind(await other.send(foreign), "conflict");
      assert.equal((await readAttempt(other, 1)).state, "Prepared");
    },
  },
  {
    name: "an aborted attempt's gate never opens, and an opened one's attempt is never aborted",
    async run(harness) {
      const scene = await openScene(harness);
      const never = makeFixtureOutcome("not_attempted");
      expectKind(await scene.send(beginRequest(1)), "prepared");
      expectKind(await scene.send(abortRequest(1, never)), "settled");
      expectKind(await scene.send(gateRequest(1)), "conflict");
      expectKind(await scene.send(beginRequest(2)), "prepared");
      expectKind(await scene.send(gateRequest(2)), "opened");
      const { attempt } = expectKind(await scene.send(abortRequest(2, never)), "conflict");
      assert.equal(attempt.state, "Dispatching");
    },
  },
  {
    name: "an attempt that the store does not have is a broken store, not an absent attempt",
    async run(harness) {
      const scene = await openScene(harness);
      await expectRefusal(scene, gateRequest(1), "unavailable");
      const never = makeFixtureOutcome("not_attempted");
      await expectRefusal(scene, abortRequest(1, never), "unavailable");
      const applied = makeFixtureOutcome("applied");
      await expectRefusal(scene, settleRequest(1, applied), "unavailable");
    },
  },
  {
    name: "a key retired between begin and gate still opens it",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const retired = makeFixtureApprover({ state: "retired" });
      expectKind(await scene.send(putApproverRequest(retired)), "done");
      expectKind(await scene.send(gateRequest(1)), "opened");
    },
  },
  {
    name: "the gate stays shut at the freeze's limit",
    async run(harness) {
      const scene = await openScene(harness);
      const begin = beginRequest(1, { of: { expires_at_ms: fixtureTime(10) } });
      expectKind(await scene.send(begin), "prepared");
      const gate = gateRequest(1, { now_ms: fixtureTime(10) });
      await expectRefusal(scene, gate, "approval_refused", "expired");
    },
  },
  ...refusals.map(({ why, before = [], gate, code, reason }): JournalCase => {
    return {
      name: `the gate stays shut when ${why}, and the attempt can be aborted`,
      async run(harness) {
        const scene = await openScene(harness);
        expectKind(await scene.send(beginRequest(1)), "prepared");
        for (const request of before) expectKind(await scene.send(request), "done");
        await expectRefusal(scene, gateRequest(1, gate), code, reason);
        assert.equal((await readAttempt(scene, 1)).state, "Prepared");
        const abort = abortRequest(1, makeFixtureOutcome("not_attempted"));
        expectKind(await scene.send(abort), "settled");
      },
    };
  }),
];
