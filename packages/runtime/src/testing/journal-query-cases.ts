import assert from "node:assert/strict";
import { pageMax, parseOperationId, type JournalQueryAttempts } from "@connectors/domain";
import { toCounter } from "../journal/measure.js";
import {
  fixtureAttemptId,
  fixtureKey,
  fixtureNonce,
  fixtureTime,
  makeFixtureOutcome,
} from "./journal-fixtures.js";
import { abortRequest, beginRequest, gateRequest, settleRequest } from "./journal-requests.js";
import {
  expectKind,
  joinScene,
  openScene,
  readChain,
  type JournalCase,
  type JournalScene,
} from "./journal-scene.js";

const everything: JournalQueryAttempts = {
  kind: "attempts",
  state: null,
  operation: null,
  since_ms: null,
  before: null,
  limit: pageMax,
};

/** Reads: what they select, in which order, and that they change nothing. */
export const queryCases: readonly JournalCase[] = [
  {
    name: "attempts are listed newest first, and page by page",
    async run(harness) {
      const scene = await openScene(harness);
      for (const n of [2, 1, 4, 3, 5]) expectKind(await scene.send(beginRequest(n)), "prepared");
      assert.deepEqual(await listIds(scene, {}), [5, 4, 3, 2, 1].map(fixtureAttemptId));
      assert.deepEqual(await listIds(scene, { limit: 2 }), [5, 4].map(fixtureAttemptId));
      const next = { limit: 2, before: fixtureAttemptId(4) };
      assert.deepEqual(await listIds(scene, next), [3, 2].map(fixtureAttemptId));
      assert.deepEqual(await listIds(scene, { before: fixtureAttemptId(1) }), []);
    },
  },
  {
    name: "attempts are selected by state, operation and time, together",
    async run(harness) {
      const scene = await openScene(harness);
      const exec = parseOperationId("pods.exec");
      assert.ok(exec.ok);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const of = { operation: exec.value };
      expectKind(await scene.send(beginRequest(2, { of, now_ms: fixtureTime(10) })), "prepared");
      expectKind(await scene.send(beginRequest(3, { now_ms: fixtureTime(20) })), "prepared");
      expectKind(await scene.send(gateRequest(3)), "opened");
      assert.deepEqual(await listIds(scene, { state: "Prepared" }), [2, 1].map(fixtureAttemptId));
      assert.deepEqual(await listIds(scene, { state: "Failed" }), []);
      assert.deepEqual(await listIds(scene, { operation: exec.value }), [fixtureAttemptId(2)]);
      const since = { since_ms: fixtureTime(10) };
      assert.deepEqual(await listIds(scene, since), [3, 2].map(fixtureAttemptId));
      const both = { ...since, state: "Prepared" } as const;
      assert.deepEqual(await listIds(scene, both), [fixtureAttemptId(2)]);
    },
  },
  {
    name: "what is not there is null or empty, never a failure",
    async run(harness) {
      const scene = await openScene(harness);
      const id = fixtureAttemptId(1);
      assert.equal((await scene.read({ kind: "attempt", id })).attempt, null);
      const found = await scene.read({ kind: "key", namespace: fixtureKey("a") });
      assert.deepEqual([found.reservation, found.attempt], [null, null]);
      const { observations } = await scene.read({ kind: "observations", attempt: id });
      assert.deepEqual(observations, []);
      assert.deepEqual((await scene.read({ kind: "owners", state: "dead" })).owners, []);
    },
  },
  {
    name: "a key is read with its attempt",
    async run(harness) {
      const scene = await openScene(harness);
      const namespace = fixtureKey("a");
      const begin = beginRequest(1, { of: { key_namespace: namespace } });
      const { attempt } = expectKind(await scene.send(begin), "prepared");
      const found = await scene.read({ kind: "key", namespace });
      assert.deepEqual(found.attempt, attempt);
      assert.equal(found.reservation?.attempt, attempt.id);
    },
  },
  {
    name: "a page has one to the most rows",
    async run(harness) {
      const scene = await openScene(harness);
      for (const limit of [0, -1, pageMax + 1, 1.5]) {
        for (const query of [
          { ...everything, limit },
          { kind: "audit", from: toCounter(1), limit } as const,
        ]) {
          const outcome = await scene.process.journal.query(query);
          assert.equal(outcome.ok ? "answered" : outcome.failure.code, "invalid_input");
        }
      }
    },
  },
  {
    name: "owners are listed newest first",
    async run(harness) {
      const scene = await openScene(harness);
      await joinScene(harness, 2);
      await joinScene(harness, 3);
      const { owners } = await scene.read({ kind: "owners", state: "live" });
      assert.deepEqual(
        owners.map((owner) => owner.nonce),
        [3, 2, 1].map(fixtureNonce),
      );
    },
  },
  {
    name: "health counts what there is",
    async run(harness) {
      const scene = await openScene(harness);
      await joinScene(harness, 2);
      for (const n of [1, 2, 3]) expectKind(await scene.send(beginRequest(n)), "prepared");
      const never = makeFixtureOutcome("not_attempted");
      expectKind(await scene.send(abortRequest(1, never)), "settled");
      expectKind(await scene.send(gateRequest(2)), "opened");
      expectKind(await scene.send(settleRequest(2, makeFixtureOutcome("unknown"))), "settled");
      const { health } = await scene.read({ kind: "health" });
      const { records } = await readChain(scene);
      assert.deepEqual(
        [health.attempts, health.unsettled, health.audit_records, health.owners_live],
        [3, 1, records.length, 2],
      );
      assert.equal(health.poisoned, false);
      assert.ok(health.engine.length > 0);
    },
  },
];

async function listIds(
  scene: JournalScene,
  selection: Partial<JournalQueryAttempts>,
): Promise<readonly string[]> {
  const { attempts } = await scene.read({ ...everything, ...selection });
  return attempts.map((attempt) => attempt.id);
}
