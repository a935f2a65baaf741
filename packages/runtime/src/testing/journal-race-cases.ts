import assert from "node:assert/strict";
import type { JournalAnswer, JournalRequest } from "@connectors/domain";
import {
  fixtureKey,
  fixtureNonce,
  makeFixtureOutcome,
  makeFixturePolicy,
  makeFixtureProof,
} from "./journal-fixtures.js";
import {
  abortRequest,
  beginRequest,
  gateRequest,
  putPolicyRequest,
  settleRequest,
} from "./journal-requests.js";
import {
  expectKind,
  joinScene,
  openScene,
  readAttempt,
  type JournalCase,
  type JournalScene,
} from "./journal-scene.js";

/** Enough at once to meet in one group commit, and across processes. */
const atOnce = 32;

/** §7: whoever comes at once, one wins, and everyone is told the same. */
export const raceCases: readonly JournalCase[] = [
  {
    name: "of many begins at once under one key, in several processes, one is prepared",
    async run(harness) {
      const scenes = await openThree(harness);
      const key = { key_namespace: fixtureKey("a") };
      const answers = await sendAtOnce(scenes, (n, owner) =>
        beginRequest(n, { of: { ...key, owner } }),
      );
      assert.deepEqual(countKinds(answers), { prepared: 1, exists: atOnce - 1 });
      const ids = answers.map((answer) => ("attempt" in answer ? idOf(answer.attempt) : null));
      assert.equal(new Set(ids).size, 1, "everyone is told of one attempt");
    },
  },
  {
    name: "of many begins at once with one proof, one is prepared and the rest name it",
    async run(harness) {
      const scenes = await openThree(harness);
      const proof = makeFixtureProof(1);
      const answers = await sendAtOnce(scenes, (n, owner) =>
        beginRequest(n, { proof, of: { owner } }),
      );
      assert.deepEqual(countKinds(answers), { prepared: 1, refused: atOnce - 1 });
      const ids = answers.map((answer) => ("attempt" in answer ? idOf(answer.attempt) : null));
      assert.equal(new Set(ids).size, 1);
    },
  },
  {
    name: "of many gates at once, one opens",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      const answers = await sendAtOnce([scene], () => gateRequest(1));
      assert.deepEqual(countKinds(answers), { opened: 1, conflict: atOnce - 1 });
    },
  },
  {
    name: "of a gate and an abort at once, one wins",
    async run(harness) {
      const scene = await openScene(harness);
      const never = makeFixtureOutcome("not_attempted");
      for (let n = 1; n <= atOnce; n += 1) {
        expectKind(await scene.send(beginRequest(n)), "prepared");
        const pair = [gateRequest(n), abortRequest(n, never)];
        if (n % 2 === 0) pair.reverse();
        const answers = await Promise.all(pair.map((request) => scene.send(request)));
        const { state } = await readAttempt(scene, n);
        const won = state === "Dispatching" ? "opened" : "settled";
        assert.deepEqual(countKinds(answers), { [won]: 1, conflict: 1 });
      }
    },
  },
  {
    name: "of many different settlements at once, one stands and the rest conflict with it",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(beginRequest(1)), "prepared");
      expectKind(await scene.send(gateRequest(1)), "opened");
      const answers = await sendAtOnce([scene], (n) =>
        settleRequest(1, makeFixtureOutcome("applied", { http_status: 200 + n })),
      );
      assert.deepEqual(countKinds(answers), { settled: 1, conflict: atOnce - 1 });
    },
  },
  {
    name: "of many policies at once, one replaces the one they all saw",
    async run(harness) {
      const scenes = await openThree(harness);
      const answers = await sendAtOnce(scenes, (_, owner) => {
        const request = putPolicyRequest(makeFixturePolicy(2));
        return { ...request, draft: { ...request.draft, owner } };
      });
      assert.deepEqual(countKinds(answers), { done: 1, refused: atOnce - 1 });
    },
  },
];

async function openThree(
  harness: Parameters<typeof openScene>[0],
): Promise<readonly JournalScene[]> {
  return [await openScene(harness), await joinScene(harness, 2), await joinScene(harness, 3)];
}

async function sendAtOnce(
  scenes: readonly JournalScene[],
  make: (n: number, owner: string) => JournalRequest,
): Promise<readonly JournalAnswer[]> {
  const sent: Promise<JournalAnswer>[] = [];
  for (let n = 1; n <= atOnce; n += 1) {
    const at = (n - 1) % scenes.length;
    const scene = scenes[at];
    assert.ok(scene !== undefined);
    sent.push(scene.send(make(n, fixtureNonce(at + 1))));
  }
  return Promise.all(sent);
}

function countKinds(answers: readonly JournalAnswer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of answers) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function idOf(attempt: string | { readonly id: string } | null): string | null {
  return typeof attempt === "object" ? (attempt?.id ?? null) : attempt;
}
