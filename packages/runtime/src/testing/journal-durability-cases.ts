import assert from "node:assert/strict";
import type { JournalQuery, JournalRequest } from "@connectors/domain";
import {
  fixtureAttemptId,
  fixtureKey,
  makeFixtureOutcome,
  makeFixturePolicy,
  nameFixturePolicy,
} from "./journal-fixtures.js";
import type { CommitFault, JournalProcess } from "./journal-harness.js";
import {
  anchorRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  putPolicyRequest,
  settleRequest,
} from "./journal-requests.js";
import {
  caseDeadlineMs,
  expectKind,
  joinScene,
  makeScene,
  openScene,
  readAttempt,
  readEverything,
  type JournalCase,
  type JournalScene,
} from "./journal-scene.js";

const health: JournalQuery = { kind: "health" };
const underSecondPolicy = { policy: nameFixturePolicy(makeFixturePolicy(2)) };

/** What was acknowledged stays; what was not is told apart. */
export const durabilityCases: readonly JournalCase[] = [
  {
    name: "every acknowledged fact is there after the end of its process",
    async run(harness) {
      const scene = await openScene(harness);
      await fillALittle(scene);
      const before = await readEverything(scene);
      await harness.kill(scene.process);
      const again = makeScene(await harness.open(), scene.nonce);
      assert.deepEqual(await readEverything(again), before);
    },
  },
  {
    name: "every acknowledged fact is there after a close, which waits for the writes in flight",
    async run(harness) {
      const scene = await openScene(harness);
      const { journal } = scene.process;
      await fillALittle(scene);
      const inFlight = [30, 31, 32].map((n) =>
        journal.transact(beginRequest(n, underSecondPolicy), { deadlineMs: caseDeadlineMs }),
      );
      await journal.close();
      const answers = await Promise.all(inFlight);
      const again = makeScene(await harness.open(), scene.nonce);
      for (const [at, answer] of answers.entries()) {
        assert.ok(answer.ok, "a write in flight is answered");
        assert.equal((await readAttempt(again, 30 + at)).state, "Prepared");
      }
    },
  },
  {
    name: "a closed journal answers nothing, and closing it again is harmless",
    async run(harness) {
      const { process } = await openScene(harness);
      await process.journal.close();
      await process.journal.close();
      assert.equal(await certaintyOf(process, anchorRequest(1)), "definite");
      assert.equal((await process.journal.query(health)).ok, false);
    },
  },
  {
    name: "a commit that was rolled back left nothing behind, and the process goes on",
    async run(harness) {
      const scene = await openScene(harness);
      const before = await readEverything(scene);
      harness.failNextCommit(scene.process, "rolled_back");
      assert.equal(await certaintyOf(scene.process, beginRequest(1)), "definite");
      assert.deepEqual(await readEverything(scene), before);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      harness.failNextCommit(scene.process, "rolled_back");
      assert.equal(await certaintyOf(scene.process, gateRequest(1)), "definite");
      expectKind(await scene.send(gateRequest(1)), "opened");
    },
  },
  ...(["lost", "unacknowledged"] as const).map((fault): JournalCase => {
    return {
      name: `after a commit that was ${fault}, the process writes nothing more and still reads`,
      async run(harness) {
        const scene = await openScene(harness);
        const other = await joinScene(harness, 2);
        expectKind(await scene.send(beginRequest(1)), "prepared");
        harness.failNextCommit(scene.process, fault);
        assert.equal(await certaintyOf(scene.process, gateRequest(1)), "ambiguous");
        const state = await readsAsIs(other, fault);
        for (const request of [gateRequest(1), beginRequest(2), anchorRequest(1)]) {
          assert.equal(await certaintyOf(scene.process, request), "definite");
        }
        assert.equal((await scene.read({ kind: "health" })).health.poisoned, true);
        assert.equal((await readAttempt(other, 1)).state, state);
        const { attempt } = await other.read({ kind: "attempt", id: fixtureAttemptId(2) });
        assert.equal(attempt, null);
        await harness.kill(scene.process);
        const again = makeScene(await harness.open(), scene.nonce);
        assert.equal((await readAttempt(again, 1)).state, state);
        assert.equal((await again.read({ kind: "health" })).health.poisoned, false);
      },
    };
  }),
];

// The fault, as another process sees it: the gate opened, or it did not.
async function readsAsIs(other: JournalScene, fault: CommitFault): Promise<string> {
  const { state } = await readAttempt(other, 1);
  assert.equal(state, fault === "unacknowledged" ? "Dispatching" : "Prepared");
  return state;
}

async function certaintyOf(process: JournalProcess, request: JournalRequest): Promise<string> {
  const outcome = await process.journal.transact(request, { deadlineMs: caseDeadlineMs });
  return outcome.ok ? `answered ${outcome.value.kind}` : outcome.failure.certainty;
}

async function fillALittle(scene: JournalScene): Promise<void> {
  expectKind(await scene.send(anchorRequest(1)), "done");
  const keyed = beginRequest(1, { of: { key_namespace: fixtureKey("é ☃ \u{1f600}") } });
  expectKind(await scene.send(keyed), "prepared");
  expectKind(await scene.send(gateRequest(1)), "opened");
  const outcome = makeFixtureOutcome("applied", { result: { text: "\u2028 é", list: [1, null] } });
  expectKind(await scene.send(settleRequest(1, outcome)), "settled");
  expectKind(await scene.send(beginRequest(2)), "prepared");
  expectKind(await scene.send(gateRequest(2)), "opened");
  expectKind(await scene.send(beginRequest(3)), "prepared");
  expectKind(await scene.send(annotateRequest(1, "seen: \u{1f440}")), "done");
  expectKind(await scene.send(putPolicyRequest(makeFixturePolicy(2))), "done");
}
