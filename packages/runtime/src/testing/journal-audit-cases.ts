import assert from "node:assert/strict";
import { encodeCanonicalAuditRecord, pageMax, type AuditRecord } from "@connectors/domain";
import { sha256Hex } from "@connectors/sdk";
import { toCounter } from "../journal/measure.js";
import {
  fixtureAttemptId,
  fixtureTime,
  makeFixtureOutcome,
  makeFixturePolicy,
} from "./journal-fixtures.js";
import {
  abandonRequest,
  abortRequest,
  anchorRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  putPolicyRequest,
  recoverRequest,
  refusalRequest,
  releaseOwnerRequest,
  settleRequest,
} from "./journal-requests.js";
import { expectKind, joinScene, openScene, readChain, type JournalCase } from "./journal-scene.js";

const expectedKinds =
  "owner policy approver owner anchor refusal abandoned decision dispatch outcome decision " +
  "abandoned annotation decision recovery owner owner";

/** §10: one chain, every link right, nothing of it optional. */
export const auditCases: readonly JournalCase[] = [
  {
    name: "every transaction that wrote anything appended the next link of one chain",
    async run(harness) {
      const scene = await openScene(harness);
      const second = await joinScene(harness, 2);
      expectKind(await scene.send(anchorRequest(1)), "done");
      expectKind(await scene.send(refusalRequest(1)), "done");
      expectKind(await scene.send(abandonRequest(1)), "done");
      expectKind(await scene.send(beginRequest(1)), "prepared");
      expectKind(await scene.send(gateRequest(1)), "opened");
      expectKind(await scene.send(settleRequest(1, makeFixtureOutcome("applied"))), "settled");
      expectKind(await scene.send(beginRequest(2)), "prepared");
      const never = makeFixtureOutcome("not_attempted");
      expectKind(await scene.send(abortRequest(2, never)), "settled");
      expectKind(await scene.send(annotateRequest(1, "seen")), "done");
      expectKind(await scene.send(beginRequest(3)), "prepared");
      await harness.kill(scene.process);
      expectKind(await second.send(recoverRequest(1, 2)), "recovered");
      expectKind(await second.send(releaseOwnerRequest(2)), "done");
      const { records, head } = await readChain(second);
      assert.deepEqual(
        records.map((record) => record.body.kind),
        expectedKinds.split(" "),
      );
      assertChained(records);
      const last = records.at(-1);
      assert.ok(last !== undefined);
      assert.deepEqual(head, { sequence: last.sequence, sha256: digest(last) });
    },
  },
  {
    name: "a record's facts are the attempt's own, whatever its draft says",
    async run(harness) {
      const scene = await openScene(harness);
      const begin = beginRequest(1);
      const lying = {
        ...begin.draft,
        kind: "outcome",
        attempt: fixtureAttemptId(9),
        approver: null,
        subject_sha256: null,
      } as const;
      expectKind(await scene.send({ ...begin, draft: lying }), "prepared");
      const { body } = (await readChain(scene)).records.at(-1) ?? {};
      assert.deepEqual(
        [body?.kind, body?.attempt, body?.approver, body?.subject_sha256],
        ["decision", fixtureAttemptId(1), "bob", begin.attempt.subject_sha256],
      );
    },
  },
  {
    name: "a chain's times never go back",
    async run(harness) {
      const scene = await openScene(harness);
      expectKind(await scene.send(anchorRequest(1, 9000)), "done");
      expectKind(await scene.send(anchorRequest(1, 5000)), "done");
      expectKind(await scene.send(refusalRequest(1)), "done");
      const { records } = await readChain(scene);
      const times = records.map((record) => record.body.at_ms);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.equal(times.at(-1), fixtureTime(9000));
      assert.equal((await scene.read({ kind: "health" })).health.floor_ms, fixtureTime(9000));
    },
  },
  {
    name: "a chain is read page by page, with its head in every page",
    async run(harness) {
      const scene = await openScene(harness);
      for (let n = 0; n < 9; n += 1) expectKind(await scene.send(anchorRequest(1, n)), "done");
      const { records, head } = await readChain(scene);
      const pages: AuditRecord[] = [];
      for (let from = 0; from <= records.length; from += 5) {
        const page = await scene.read({ kind: "audit", from: toCounter(from + 1), limit: 5 });
        assert.deepEqual(page.head, head);
        pages.push(...page.records);
      }
      assert.deepEqual(pages, records);
      const beyond = toCounter(records.length + 1);
      const nothing = await scene.read({ kind: "audit", from: beyond, limit: pageMax });
      assert.deepEqual(nothing.records, []);
    },
  },
  {
    name: "a replaced policy is in the chain by its digest",
    async run(harness) {
      const scene = await openScene(harness);
      const policy = makeFixturePolicy(2);
      expectKind(await scene.send(putPolicyRequest(policy)), "done");
      const { body } = (await readChain(scene)).records.at(-1) ?? {};
      assert.deepEqual(
        [body?.kind, body?.policy_revision, body?.detail_sha256],
        ["policy", 2, policy.sha256],
      );
    },
  },
];

function digest(record: AuditRecord): string {
  return sha256Hex(encodeCanonicalAuditRecord(record));
}

function assertChained(records: readonly AuditRecord[]): void {
  let prev = "0".repeat(64);
  for (const [at, record] of records.entries()) {
    assert.equal(record.sequence, at + 1);
    assert.equal(record.prev, prev);
    prev = digest(record);
  }
}
