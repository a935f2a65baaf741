import { parseWriteAnswer, type ErrorCode, type Stage, type WriteAnswer } from "@connectors/domain";
import { fail, succeed } from "@connectors/sdk";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { describe, expect, test } from "vitest";
import { makeSigningKey } from "../approvals/signing-key.js";
import { journalLimits } from "../journal/limits.js";
import {
  commit,
  freeze,
  openRig,
  patience,
  rigKey,
  rigPolicy,
  runRequest,
  type HostRig,
} from "../testing/host-rig.js";
import { sampleAudience } from "../testing/sample-subject.js";
import { scriptedPlace } from "../testing/scripted-provider.js";

const { username: _, ...place } = scriptedPlace;

function expectNotAttempted(
  rig: HostRig,
  answer: WriteAnswer,
  code: ErrorCode,
  stage: Stage,
  reason?: string,
): void {
  expect(parseWriteAnswer(JSON.parse(JSON.stringify(answer)))).toMatchObject({ ok: true });
  expect(answer).toMatchObject({
    classification: "not_attempted",
    result: null,
    failure: { code, effect: "none", ...(reason === undefined ? {} : { reason }) },
    cause: { code, stage },
    observed: null,
    replayed: false,
  });
  expect(rig.provider.seen.dispatches).toEqual([]);
  expect(rig.provider.seen.disposals).toBe(rig.provider.seen.captures);
}

async function newestRecord(rig: HostRig): Promise<object> {
  const lines: string[] = [];
  for await (const line of rig.host.audit.export()) if (line.ok) lines.push(line.value);
  return JSON.parse(lines.at(-1) ?? "{}").body;
}

describe("step 2, the key", () => {
  test("of another request is a conflict that discloses nothing and is recorded", async () => {
    const rig = await openRig();
    await commit(rig, await freeze(rig));
    rig.provider.seen.dispatches.length = 0;
    const other = await freeze(rig, { input: { namespace: "web", name: "api", to: "red" } });
    const answer = await commit(rig, other);
    expectNotAttempted(rig, answer, "idempotency_conflict", "admission");
    expect(answer).toMatchObject({ attempt: null, failure: { retry: "new_key" } });
    expect(await newestRecord(rig)).toMatchObject({
      kind: "refusal",
      code: "idempotency_conflict",
      count: 1,
    });
    expect(await other.observe()).toMatchObject({ failure: { code: "idempotency_conflict" } });
  });

  test("that cannot be read is unknown, and nothing is sent", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.tap.failReads("key", fail("unavailable", "The store is not readable."), 1);
    const answer = await commit(rig, frozen);
    expect(answer).toMatchObject({
      classification: "unknown",
      failure: { code: "outcome_unknown", effect: "unknown", retry: "after_check" },
      cause: { code: "unavailable", stage: "observation" },
    });
    expect(rig.provider.seen).toMatchObject({ captures: 0, dispatches: [] });
  });
});

describe("step 3, the proof", () => {
  test("that is missing is approval_required, and the same frozen write may be tried again", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const answer = await frozen.commit({ proof: null, signal: patience() });
    expectNotAttempted(rig, answer, "approval_required", "approval");
    expect(answer.failure?.retry).toBe("safe");
    expect(rig.provider.seen.captures).toBe(0);
    expect((await commit(rig, frozen)).classification).toBe("applied");
  });

  const refusals: readonly (readonly [string, (rig: HostRig) => Promise<WriteAnswer>])[] = [
    [
      "bad_signature",
      async (rig) => {
        const frozen = await freeze(rig);
        return frozen.commit({ proof: { jws: "a.b.c" }, signal: patience() });
      },
    ],
    [
      "unknown_key",
      async (rig) => {
        const frozen = await freeze(rig);
        const stranger = makeSigningKey(makeManualAmbient({ seed: 999 }).random);
        return frozen.commit({ proof: rig.prove(frozen, stranger), signal: patience() });
      },
    ],
    [
      "revoked_key",
      async (rig) => {
        const frozen = await freeze(rig);
        const proof = rig.prove(frozen);
        await rig.host.approvers.revoke(rigKey.kid);
        return frozen.commit({ proof, signal: patience() });
      },
    ],
    [
      "wrong_audience",
      async (rig) => {
        const frozen = await freeze(rig);
        const audience = sampleAudience.replace(/1$/, "2") as typeof frozen.subject.audience;
        const foreign = await openRig({ host: { audience } });
        const elsewhere = await freeze(foreign);
        return frozen.commit({ proof: rig.prove(elsewhere), signal: patience() });
      },
    ],
    [
      "policy_changed",
      async (rig) => {
        const frozen = await freeze(rig);
        await rig.host.policy.set(rigPolicy({ id: "renamed" }));
        return commit(rig, frozen);
      },
    ],
    [
      "not_permitted",
      async (rig) => {
        const key = makeSigningKey(makeManualAmbient({ seed: 998 }).random);
        const rights = { operations: ["thing.run"], adapters: ["*"] };
        await rig.host.approvers.add({ name: "ada", publicKey: key.publicKey, ...rights });
        const frozen = await freeze(rig);
        return frozen.commit({ proof: rig.prove(frozen, key), signal: patience() });
      },
    ],
    [
      "wrong_subject",
      async (rig) => {
        const frozen = await freeze(rig);
        const other = await freeze(rig, { key: "key-2" });
        return frozen.commit({ proof: rig.prove(other), signal: patience() });
      },
    ],
    [
      "not_yet_valid",
      async (rig) => {
        const frozen = await freeze(rig);
        rig.ambient.shiftNow(6000);
        const proof = rig.prove(frozen);
        rig.ambient.shiftNow(-6000);
        return frozen.commit({ proof, signal: patience() });
      },
    ],
    [
      "expired",
      async (rig) => {
        const frozen = await freeze(rig);
        const proof = rig.prove(frozen);
        rig.ambient.advance(295_000);
        return frozen.commit({ proof, signal: patience() });
      },
    ],
  ];

  test.each(refusals)(
    "is refused as %s before a credential is captured, and recorded",
    async (reason, run) => {
      const rig = await openRig();
      const answer = await run(rig);
      expectNotAttempted(rig, answer, "approval_refused", "approval", reason);
      expect(answer).toMatchObject({ failure: { retry: "new_key" }, attempt: null });
      expect(rig.provider.seen.captures).toBe(0);
      expect(await newestRecord(rig)).toMatchObject({
        kind: "refusal",
        code: "approval_refused",
        reason,
        stage: "approval",
      });
      expect(answer.audit).not.toBeNull();
    },
  );

  test("by an approver whom only a rule for something else names is not permitted", async () => {
    const rig = await openRig();
    const rule = {
      callers: ["os:ada"],
      adapters: ["prod"],
      operation: "thing.change",
      namespaces: ["web"],
      names: ["*"],
      approvers: ["bob"],
      self_approval: "allowed",
    };
    const other = { ...rule, operation: "thing.poke", approvers: ["ada"] };
    await rig.host.policy.set(rigPolicy({ rules: [rule, other] }));
    const answer = await commit(rig, await freeze(rig));
    expectNotAttempted(rig, answer, "approval_refused", "approval", "not_permitted");
  });

  test("for a freeze whose time is over is refused as expired", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig, { validMs: 1000 });
    const proof = rig.prove(frozen);
    rig.ambient.advance(1000);
    const answer = await frozen.commit({ proof, signal: patience() });
    expectNotAttempted(rig, answer, "approval_refused", "approval", "expired");
  });

  test("cannot be checked when the approvers' table or the policy is not readable", async () => {
    for (const kind of ["approvers", "policy"] as const) {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.tap.failReads(kind, fail("unavailable", "The store is not readable."), 1);
      expectNotAttempted(rig, await commit(rig, frozen), "unavailable", "approval");
    }
  });
});

describe("step 4, the connection", () => {
  const elsewhere = [
    ["base_url", { ...place, base_url: "https://127.0.0.1:6443/other/" }],
    ["tls_name", { ...place, tls_name: "localhost" }],
    ["trust_sha256", { ...place, trust_sha256: "system" as typeof place.trust_sha256 }],
  ] as const;

  test.each(elsewhere)(
    "with another %s is identity_mismatch before a byte leaves",
    async (_member, now) => {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.provider.script.describe = () => Promise.resolve(succeed(now));
      expectNotAttempted(rig, await commit(rig, frozen), "identity_mismatch", "connection");
      expect(rig.provider.seen.captures).toBe(0);
    },
  );

  test("to another user is identity_mismatch after the review, and lets go of the credential", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.provider.script.review = () => Promise.resolve(succeed("system:admin"));
    expectNotAttempted(rig, await commit(rig, frozen), "identity_mismatch", "connection");
    expect(rig.provider.seen).toMatchObject({ captures: 1, preflights: 0, disposals: 1 });
  });

  test("that fails is its own code", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.provider.script.review = () => Promise.resolve(fail("unauthorized", "Not accepted."));
    const answer = await commit(rig, frozen);
    expect(answer).toMatchObject({
      classification: "not_attempted",
      failure: { code: "unauthorized" },
      cause: { code: "unauthorized", stage: "connection" },
    });
    expect(await newestRecord(rig)).toMatchObject({ kind: "refusal", code: "unauthorized" });
  });
});

describe("step 5, the anchor", () => {
  test("that cannot be written is unavailable, and nothing but the review was sent", async () => {
    for (const fault of ["rolled_back", "unacknowledged", "lost"] as const) {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.tap.before("anchor", () => rig.faults.failNextCommit(fault));
      expectNotAttempted(rig, await commit(rig, frozen), "unavailable", "audit");
      expect(rig.provider.seen).toMatchObject({ captures: 1, preflights: 0 });
    }
  });

  test("is refused by a full store, which still answers old keys", async () => {
    const limits = { ...journalLimits, attemptsMax: 1 };
    const rig = await openRig({ limits });
    const first = await freeze(rig);
    await commit(rig, first);
    rig.provider.seen.dispatches.length = 0;
    const answer = await commit(rig, await freeze(rig, { key: "key-2" }));
    expectNotAttempted(rig, answer, "capacity", "audit");
    expect(await first.observe()).toMatchObject({ classification: "applied", replayed: true });
  });

  test("is refused when the clock stepped back by more than five seconds", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const proof = rig.prove(frozen);
    rig.provider.script.review = () => {
      rig.ambient.shiftNow(-6000);
      return Promise.resolve(succeed(scriptedPlace.username));
    };
    const answer = await frozen.commit({ proof, signal: patience() });
    expectNotAttempted(rig, answer, "unavailable", "audit");
    rig.ambient.shiftNow(6000);
    rig.provider.script.review = () => Promise.resolve(succeed(scriptedPlace.username));
    expect((await commit(rig, await freeze(rig))).classification).toBe("applied");
  });
});

describe("step 6, the preflight", () => {
  test("that refuses is its own code, and closes its anchor", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.provider.script.preflight = () => Promise.resolve(fail("forbidden", "No such right."));
    const answer = await commit(rig, frozen);
    expectNotAttempted(rig, answer, "forbidden", "preflight");
    expect(await newestRecord(rig)).toMatchObject({
      kind: "abandoned",
      code: "forbidden",
      stage: "preflight",
      attempt: null,
    });
    const record = await newestRecord(rig);
    expect(record).toHaveProperty("anchor", (answer.audit?.sequence ?? 0) - 1);
  });

  test("that breaks off is internal, and sends nothing", async () => {
    const rig = await openRig();
    rig.provider.script.preflight = () => Promise.reject(new Error("boom"));
    expectNotAttempted(rig, await commit(rig, await freeze(rig)), "internal", "preflight");
  });
});

describe("step 7, begin", () => {
  test("refuses a proof that was spent, and names the attempt that it was spent on", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig, runRequest);
    const proof = rig.prove(frozen);
    const first = await frozen.commit({ proof, signal: patience() });
    rig.provider.seen.dispatches.length = 0;
    const again = await rig.host.openPrepared(frozen.preparedBytes);
    if (!again.ok) throw new Error(again.failure.message);
    const answer = await again.value.commit({ proof, signal: patience() });
    expectNotAttempted(rig, answer, "approval_replayed", "attempt_store");
    expect(answer.failure?.message).toContain(first.attempt?.id);
    expect(answer.failure?.retry).toBe("after_check");
    expect(rig.provider.seen.cancels).toBe(1);
    expect(await newestRecord(rig)).toMatchObject({ kind: "abandoned", code: "approval_replayed" });
  });

  test("checks key state and policy again, inside its transaction", async () => {
    const changes = [
      ["revoked_key", (rig: HostRig) => rig.host.approvers.revoke(rigKey.kid)],
      ["policy_changed", (rig: HostRig) => rig.host.policy.set(rigPolicy({ id: "renamed" }))],
    ] as const;
    for (const [reason, change] of changes) {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.tap.before("begin", async () => void (await change(rig)));
      const answer = await commit(rig, frozen);
      expectNotAttempted(rig, answer, "approval_refused", "attempt_store", reason);
    }
  });

  test("that is rolled back leaves nothing, and the same frozen bytes may be tried again", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.tap.before("begin", () => rig.faults.failNextCommit("rolled_back"));
    const answer = await commit(rig, frozen);
    expectNotAttempted(rig, answer, "unavailable", "attempt_store");
    expect(answer.failure?.retry).toBe("safe");
    expect(rig.provider.seen.cancels).toBe(1);
    const again = await rig.host.openPrepared(frozen.preparedBytes);
    expect(again.ok && (await commit(rig, again.value)).classification).toBe("applied");
  });

  test("whose acknowledgement is lost can never be gated: nothing is attempted", async () => {
    for (const fault of ["unacknowledged", "lost"] as const) {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.tap.before("begin", () => rig.faults.failNextCommit(fault));
      const answer = await commit(rig, frozen);
      expectNotAttempted(rig, answer, "unavailable", "attempt_store");
      expect(answer.failure?.retry).toBe("new_key");
    }
  });
});

describe("step 8, the gate", () => {
  test("checks key state and policy again, aborts, and its key repeats why", async () => {
    const changes = [
      ["revoked_key", (rig: HostRig) => rig.host.approvers.revoke(rigKey.kid)],
      ["policy_changed", (rig: HostRig) => rig.host.policy.set(rigPolicy({ id: "renamed" }))],
    ] as const;
    for (const [reason, change] of changes) {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.tap.before("gate", async () => void (await change(rig)));
      const answer = await commit(rig, frozen);
      expectNotAttempted(rig, answer, "approval_refused", "attempt_store", reason);
      expect(answer).toMatchObject({
        attempt: { state: "Aborted" },
        failure: { retry: "new_key" },
      });
      expect(await frozen.observe()).toMatchObject({
        classification: "not_attempted",
        replayed: true,
        failure: { code: "approval_refused", reason },
      });
    }
  });

  test("that is lost for certain is aborted: not_attempted", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.tap.before("gate", () => rig.faults.failNextCommit("rolled_back"));
    const answer = await commit(rig, frozen);
    expectNotAttempted(rig, answer, "unavailable", "attempt_store");
    expect(answer).toMatchObject({ attempt: { state: "Aborted" }, failure: { retry: "new_key" } });
    expect(rig.tap.kinds.slice(-2)).toEqual(["gate", "abort"]);
    expect(rig.provider.seen.cancels).toBe(1);
  });

  test("whose acknowledgement is lost is unknown, and never aborted", async () => {
    for (const fault of ["unacknowledged", "lost"] as const) {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.tap.before("gate", () => rig.faults.failNextCommit(fault));
      const answer = await commit(rig, frozen);
      expect(answer).toMatchObject({
        classification: "unknown",
        failure: { code: "outcome_unknown", retry: "after_check" },
        cause: { code: "unavailable", stage: "attempt_store" },
      });
      expect(answer.attempt).not.toBeNull();
      expect(rig.tap.kinds.at(-1)).toBe("gate");
      expect(rig.provider.seen.dispatches).toEqual([]);
    }
  });

  test("that is refused, and whose abort cannot be written, still sends nothing", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.tap.before("gate", () => rig.faults.failNextCommit("rolled_back"));
    rig.tap.before("abort", () => rig.faults.failNextCommit("rolled_back"));
    const answer = await commit(rig, frozen);
    expectNotAttempted(rig, answer, "unavailable", "attempt_store");
    expect(answer.attempt?.state).toBe("Prepared");
  });

  test("of an attempt that another process closed meanwhile answers what is recorded", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const other = await openRig({ ledger: rig.ledger, ambient: rig.ambient, joining: true });
    rig.tap.before("gate", async () => {
      // The end of the process, as another one sees it.
      for (const nonce of rig.ledger.locks.keys()) rig.ledger.locks.set(nonce, null);
      await other.host.recover();
    });
    const answer = await commit(rig, frozen);
    expect(answer).toMatchObject({
      classification: "not_attempted",
      replayed: false,
      attempt: { state: "Aborted" },
      failure: { code: "interrupted" },
    });
    expect(rig.provider.seen.dispatches).toEqual([]);
  });
});

test("a frozen write is committed once; a second call does nothing", async () => {
  const rig = await openRig();
  const frozen = await freeze(rig, runRequest);
  const [first, second] = await Promise.all([commit(rig, frozen), commit(rig, frozen)]);
  expect(first.classification).toBe("applied");
  expect(second).toMatchObject({
    classification: "not_attempted",
    failure: { code: "lifecycle_conflict" },
    cause: { stage: "admission" },
  });
  expect(rig.provider.seen.dispatches).toHaveLength(1);
});

test("an operation that needs no approval goes without a proof, and says so", async () => {
  const rig = await openRig();
  const poke = { operation: "thing.poke", input: { namespace: "web", name: "api" }, key: null };
  const answer = await (await freeze(rig, poke)).commit({ proof: null, signal: patience() });
  expect(answer).toMatchObject({ classification: "applied", approval: null });
});
