import assert from "node:assert/strict";
import { journalLimits } from "../journal/limits.js";
import {
  fixtureKey,
  fixtureKid,
  makeFixtureApprover,
  makeFixtureOutcome,
  makeFixturePolicy,
  makeFixtureProof,
} from "./journal-fixtures.js";
import {
  abandonRequest,
  abortRequest,
  anchorRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  putApproverRequest,
  putPolicyRequest,
  recoverRequest,
  refusalRequest,
  settleRequest,
} from "./journal-requests.js";
import {
  expectKind,
  expectRefusal,
  joinScene,
  openScene,
  readAttempt,
  type JournalCase,
} from "./journal-scene.js";

const key = fixtureKey("a");
const keyed = { of: { key_namespace: key } };

/** A full store begins nothing and still ends and answers everything. */
export const capacityCases: readonly JournalCase[] = [
  {
    name: "a store full of attempts refuses new ones, and settles and answers those it has",
    async run(harness) {
      const scene = await openScene(harness, { ...journalLimits, attemptsMax: 2 });
      expectKind(await scene.send(beginRequest(1, keyed)), "prepared");
      expectKind(await scene.send(anchorRequest(1)), "done");
      expectKind(await scene.send(beginRequest(2)), "prepared");
      await expectRefusal(scene, beginRequest(3), "capacity");
      await expectRefusal(scene, anchorRequest(1), "capacity");
      expectKind(await scene.send(beginRequest(3, keyed)), "exists");
      expectKind(await scene.send(gateRequest(1)), "opened");
      expectKind(await scene.send(settleRequest(1, makeFixtureOutcome("applied"))), "settled");
      const never = makeFixtureOutcome("not_attempted");
      expectKind(await scene.send(abortRequest(2, never)), "settled");
      expectKind(await scene.send(beginRequest(3, keyed)), "exists");
      await expectRefusal(scene, beginRequest(3), "capacity");
    },
  },
  {
    name: "a spent proof is named before a full store is",
    async run(harness) {
      const scene = await openScene(harness, { ...journalLimits, attemptsMax: 1 });
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const replay = beginRequest(2, { proof: makeFixtureProof(1) });
      const refused = expectKind(await scene.send(replay), "refused");
      assert.equal(refused.code, "approval_replayed");
    },
  },
  {
    name: "a full chain takes no new write, and takes the end of every write that it knows",
    async run(harness) {
      // owner, policy, approver, anchor, two decisions: the seventh record is one too many.
      const scene = await openScene(harness, { ...journalLimits, auditRecordsMax: 6 });
      expectKind(await scene.send(anchorRequest(1)), "done");
      expectKind(await scene.send(beginRequest(1, keyed)), "prepared");
      expectKind(await scene.send(beginRequest(2)), "prepared");
      const refused = [
        anchorRequest(1),
        refusalRequest(1),
        beginRequest(3),
        annotateRequest(1, "seen"),
      ];
      for (const request of refused) await expectRefusal(scene, request, "capacity");
      expectKind(await scene.send(abandonRequest(1)), "done");
      expectKind(await scene.send(gateRequest(1)), "opened");
      expectKind(await scene.send(settleRequest(1, makeFixtureOutcome("unknown"))), "settled");
      expectKind(await scene.send(beginRequest(3, keyed)), "exists");
      expectKind(await scene.send(gateRequest(2)), "opened");
    },
  },
  {
    name: "a full chain still takes recovery, a revocation and a policy",
    async run(harness) {
      const limits = { ...journalLimits, auditRecordsMax: 4 };
      const scene = await openScene(harness, limits);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const second = await joinScene(harness, 2, limits);
      await harness.kill(scene.process);
      expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      assert.equal((await readAttempt(second, 1)).state, "Aborted");
      const owner = { owner: second.nonce };
      const revoke = putApproverRequest(makeFixtureApprover({ state: "revoked" }));
      const byThem = { ...revoke, draft: { ...revoke.draft, ...owner } };
      expectKind(await second.send(byThem), "done");
      const replace = putPolicyRequest(makeFixturePolicy(2));
      expectKind(await second.send({ ...replace, draft: { ...replace.draft, ...owner } }), "done");
    },
  },
  {
    name: "a full approvers' table takes no new key, and still moves those it has",
    async run(harness) {
      const scene = await openScene(harness, { ...journalLimits, approversMax: 2 });
      expectKind(await scene.send(put(1)), "done");
      await expectRefusal(scene, put(2), "capacity");
      const revoked = makeFixtureApprover({ state: "revoked" });
      expectKind(await scene.send(putApproverRequest(revoked)), "done");
    },
  },
];

function put(n: number): ReturnType<typeof putApproverRequest> {
  return putApproverRequest(makeFixtureApprover({ kid: fixtureKid(n) }));
}
