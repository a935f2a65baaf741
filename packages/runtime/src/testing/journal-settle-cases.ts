import assert from "node:assert/strict";
import { keptResultBytesMax, type AttemptState, type KeptOutcome } from "@connectors/domain";
import { fixtureKey, fixtureNonce, fixtureTime, makeFixtureOutcome } from "./journal-fixtures.js";
import {
  abortRequest,
  anchorRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  recoverRequest,
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
  type JournalScene,
} from "./journal-scene.js";

const endings: readonly (readonly [KeptOutcome, AttemptState])[] = [
  [makeFixtureOutcome("applied"), "Completed"],
  [makeFixtureOutcome("refused"), "Failed"],
  [makeFixtureOutcome("unknown"), "Indeterminate"],
  [makeFixtureOutcome("not_attempted"), "Aborted"],
];

/** Step 10 and the abort: one truth, written once. */
export const settleCases: readonly JournalCase[] = [
  ...endings.map(([outcome, state]): JournalCase => {
    return {
      name: `an attempt that ended ${outcome.classification} is ${state}, whole and for good`,
      async run(harness) {
        const scene = await openScene(harness);
        const ended = await endAttempt(scene, outcome);
        assert.equal(ended.state, state);
        assert.equal(ended.settled_at_ms, fixtureTime(50));
        assert.deepEqual(ended.outcome, outcome);
        assert.deepEqual(await readAttempt(scene, 1), ended);
        const { head, records } = await readChain(scene);
        assert.deepEqual(ended.audit, head);
        assert.equal(records.at(-1)?.body.classification, outcome.classification);
        for (const [other] of endings) await leavesAsItIs(scene, outcome, other);
        expectKind(await scene.send(gateRequest(1)), "conflict");
        expectKind(await scene.send(annotateRequest(1, "It did happen.")), "done");
        const second = await joinScene(harness, 2);
        await harness.kill(scene.process);
        expectKind(await second.send(recoverRequest(1, 2)), "recovered");
        assert.deepEqual(await readAttempt(second, 1), ended);
      },
    };
  }),
  {
    name: "the same settlement again is the same record, and no new one",
    async run(harness) {
      const scene = await openScene(harness);
      const outcome = makeFixtureOutcome("refused");
      const ended = await endAttempt(scene, outcome);
      const { head } = await readChain(scene);
      // Members in another order are the same canonical bytes.
      const { classification, failure, ...rest } = outcome;
      const again = settleRequest(1, { ...rest, failure, classification });
      const { attempt, repeated } = expectKind(await scene.send(again), "settled");
      assert.equal(repeated, true);
      assert.deepEqual(attempt, ended);
      assert.deepEqual((await readChain(scene)).head, head);
    },
  },
  {
    name: "nothing is settled before its gate opened",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      for (const [outcome] of endings.slice(0, 3)) {
        expectKind(await scene.send(settleRequest(1, outcome)), "conflict");
      }
      assert.equal((await readAttempt(scene, 1)).state, "Prepared");
    },
  },
  {
    name: "an attempt is settled and aborted by its own process alone",
    async run(harness) {
      const scene = await openScene(harness);
      const other = await joinScene(harness, 2);
      const foreign = { owner: fixtureNonce(2) };
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const abort = abortRequest(1, makeFixtureOutcome("not_attempted"), foreign);
      expectKind(await other.send(abort), "conflict");
      expectKind(await scene.send(gateRequest(1)), "opened");
      const settle = settleRequest(1, makeFixtureOutcome("applied"), foreign);
      expectKind(await other.send(settle), "conflict");
      assert.equal((await readAttempt(scene, 1)).state, "Dispatching");
    },
  },
  {
    name: "a settlement says what may have been sent, an abort that nothing was",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      for (const [outcome] of endings.slice(0, 3)) {
        await expectRefusal(scene, abortRequest(1, outcome), "internal");
      }
      expectKind(await scene.send(gateRequest(1)), "opened");
      const never = makeFixtureOutcome("not_attempted");
      await expectRefusal(scene, settleRequest(1, never), "internal");
    },
  },
  {
    name: "a result is kept for a key, up to its bound, and never without one",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      expectKind(await scene.send(gateRequest(1)), "opened");
      const small = makeFixtureOutcome("applied", { result: { generation: 7 } });
      await expectRefusal(scene, settleRequest(1, small), "internal");
      const keyed = beginRequest(2, { of: { key_namespace: fixtureKey("a") } });
      expectKind(await scene.send(keyed), "prepared");
      expectKind(await scene.send(gateRequest(2)), "opened");
      const quotes = 2;
      const most = "x".repeat(keptResultBytesMax - quotes);
      const over = makeFixtureOutcome("applied", { result: `${most}x` });
      await expectRefusal(scene, settleRequest(2, over), "internal");
      const full = makeFixtureOutcome("applied", { result: most });
      const { attempt } = expectKind(await scene.send(settleRequest(2, full)), "settled");
      assert.equal(attempt.outcome?.result, most);
      assert.equal((await readAttempt(scene, 2)).outcome?.result, most);
    },
  },
  {
    name: "a clock that stepped back neither stops a settlement nor turns its times round",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      expectKind(await scene.send(gateRequest(1, { now_ms: fixtureTime(60_000) })), "opened");
      expectKind(await scene.send(anchorRequest(1, 90_000)), "done");
      const settle = settleRequest(1, makeFixtureOutcome("applied"), { now_ms: fixtureTime(-1) });
      const { attempt } = expectKind(await scene.send(settle), "settled");
      assert.equal(attempt.settled_at_ms, fixtureTime(90_000));
    },
  },
];

async function endAttempt(
  scene: JournalScene,
  outcome: KeptOutcome,
): Promise<Awaited<ReturnType<typeof readAttempt>>> {
  const now = { now_ms: fixtureTime(50) };
  expectKind(await scene.send(beginRequest(1)), "prepared");
  if (outcome.classification === "not_attempted") {
    return expectKind(await scene.send(abortRequest(1, outcome, now)), "settled").attempt;
  }
  expectKind(await scene.send(gateRequest(1)), "opened");
  return expectKind(await scene.send(settleRequest(1, outcome, now)), "settled").attempt;
}

// Whoever says something else, or the same of another ending, changes nothing.
async function leavesAsItIs(
  scene: JournalScene,
  outcome: KeptOutcome,
  other: KeptOutcome,
): Promise<void> {
  const before = await readAttempt(scene, 1);
  const request =
    other.classification === "not_attempted" ? abortRequest(1, other) : settleRequest(1, other);
  const answer = await scene.send(request);
  if (other.classification === outcome.classification) {
    assert.equal(expectKind(answer, "settled").repeated, true);
    const changed = { ...other, http_status: 418 };
    const kind = other.classification === "not_attempted" ? abortRequest : settleRequest;
    expectKind(await scene.send(kind(1, changed)), "conflict");
  } else {
    expectKind(answer, "conflict");
  }
  assert.deepEqual(await readAttempt(scene, 1), before);
}
