import assert from "node:assert/strict";
import type {
  Attempt,
  AttemptId,
  AuditPosition,
  AuditRecord,
  ErrorCode,
  JournalAnswer,
  JournalQuery,
  JournalRequest,
  JournalView,
  KeyNamespace,
  KeyReservation,
  RefusalReason,
} from "@connectors/domain";
import type { ContractCase } from "@connectors/sdk/testing";
import type { AnswerOf } from "../journal/journal.js";
import type { JournalLimits } from "../journal/limits.js";
import { toCounter } from "../journal/measure.js";
import {
  fixtureAttemptId,
  fixtureNonce,
  makeFixtureApprover,
  makeFixturePolicy,
} from "./journal-fixtures.js";
import type { JournalHarness, JournalProcess } from "./journal-harness.js";
import { openOwnerRequest, putApproverRequest, putPolicyRequest } from "./journal-requests.js";

/** One promise of the journal's port. */
export type JournalCase = ContractCase<JournalHarness>;

/** How long a case lets a store wait for another process. */
export const caseDeadlineMs = 20_000;

/** A registered process, and calls that fail the case when the store does not answer. */
export interface JournalScene {
  readonly process: JournalProcess;
  readonly nonce: string;
  send<Request extends JournalRequest>(request: Request): Promise<AnswerOf<Request["kind"]>>;
  read<Query extends JournalQuery>(
    query: Query,
  ): Promise<Extract<JournalView, { kind: Query["kind"] }>>;
}

/** The first process on a fresh store: registered, with the first policy and bob's key. */
export async function openScene(
  harness: JournalHarness,
  limits?: JournalLimits,
): Promise<JournalScene> {
  const scene = await joinScene(harness, 1, limits);
  expectKind(await scene.send(putPolicyRequest(makeFixturePolicy(1))), "done");
  expectKind(await scene.send(putApproverRequest(makeFixtureApprover())), "done");
  return scene;
}

/** The n-th process on the same store: holds its lock, and is registered. */
export async function joinScene(
  harness: JournalHarness,
  n: number,
  limits?: JournalLimits,
): Promise<JournalScene> {
  const process = await harness.open(limits === undefined ? {} : { limits });
  const scene = makeScene(process, fixtureNonce(n));
  const held = await process.locks.hold(scene.nonce);
  assert.ok(held.ok, "a new owner's lock is free");
  expectKind(await scene.send(openOwnerRequest(n)), "done");
  return scene;
}

/** Calls through a process that may or may not be registered. */
export function makeScene(process: JournalProcess, nonce: string): JournalScene {
  return {
    process,
    nonce,
    async send(request) {
      const outcome = await process.journal.transact(request, { deadlineMs: caseDeadlineMs });
      assert.ok(outcome.ok, `${request.kind} is answered`);
      return outcome.value;
    },
    async read(query) {
      const outcome = await process.journal.query(query);
      assert.ok(outcome.ok, `the read ${query.kind} is answered`);
      return outcome.value;
    },
  };
}

/** The answer as one of this kind; fails the case for any other. */
export function expectKind<Answer extends JournalAnswer, Kind extends Answer["kind"]>(
  answer: Answer,
  kind: Kind,
): Extract<Answer, { kind: Kind }> {
  assert.equal(answer.kind, kind, `answered ${JSON.stringify(answer)}`);
  // The line above compared the tag.
  return answer as Extract<Answer, { kind: Kind }>;
}

/** Sends what must be refused so, and checks that nothing was written. */
export async function expectRefusal(
  scene: JournalScene,
  request: JournalRequest,
  code: ErrorCode,
  reason: RefusalReason | null = null,
): Promise<void> {
  const before = await readEverything(scene);
  const answer = expectKind<JournalAnswer, "refused">(await scene.send(request), "refused");
  assert.deepEqual({ code: answer.code, reason: answer.reason }, { code, reason });
  assert.deepEqual(await readEverything(scene), before, "a refusal writes nothing");
}

/** The n-th attempt; fails the case when it is absent. */
export async function readAttempt(scene: JournalScene, n: number): Promise<Attempt> {
  return readAttemptById(scene, fixtureAttemptId(n));
}

/** That attempt; fails the case when it is absent. */
export async function readAttemptById(scene: JournalScene, id: AttemptId): Promise<Attempt> {
  const { attempt } = await scene.read({ kind: "attempt", id });
  assert.ok(attempt !== null, "the attempt is there");
  return attempt;
}

/** The key's reservation; fails the case when it is absent. */
export async function readReservation(
  scene: JournalScene,
  namespace: KeyNamespace,
): Promise<KeyReservation> {
  const { reservation } = await scene.read({ kind: "key", namespace });
  assert.ok(reservation !== null, "the reservation is there");
  return reservation;
}

/** The whole chain, and its head. */
export async function readChain(
  scene: JournalScene,
): Promise<{ readonly records: readonly AuditRecord[]; readonly head: AuditPosition | null }> {
  const { records, head } = await scene.read({ kind: "audit", from: toCounter(0), limit: 1000 });
  return { records, head };
}

/** All that the reads can tell, for comparing before with after. */
export async function readEverything(scene: JournalScene): Promise<readonly JournalView[]> {
  const { attempts } = await scene.read({
    kind: "attempts",
    state: null,
    operation: null,
    since_ms: null,
    before: null,
    limit: 1000,
  });
  const views: JournalView[] = [
    { kind: "attempts", attempts },
    await scene.read({ kind: "policy", revision: null }),
    await scene.read({ kind: "approvers" }),
    await scene.read({ kind: "owners", state: null }),
    { kind: "audit", ...(await readChain(scene)) },
    await scene.read({ kind: "health" }),
  ];
  for (const { id, key_namespace: namespace } of attempts) {
    views.push(await scene.read({ kind: "observations", attempt: id }));
    if (namespace !== null) views.push(await scene.read({ kind: "key", namespace }));
  }
  return views;
}
