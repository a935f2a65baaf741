import { keyRetentionMs, type WriteAnswer } from "@connectors/domain";
import { fail } from "@connectors/sdk";
import { makeManualAmbient, type ManualAmbient } from "@connectors/sdk/testing";
import { describe, expect, test } from "vitest";
import { makeMemoryLedger, type MemoryLedger } from "../journal/memory-journal.js";
import {
  commit,
  freeze,
  letRun,
  openRig,
  passTimeUntil,
  patience,
  rigPolicy,
  runRequest,
  type HostRig,
} from "../testing/host-rig.js";
import {
  appliedWith,
  makeScriptedProvider,
  type ScriptedProvider,
} from "../testing/scripted-provider.js";

const never = <T>(): Promise<T> => new Promise(() => undefined);

interface Crowd {
  readonly ledger: MemoryLedger;
  readonly ambient: ManualAmbient;
  readonly provider: ScriptedProvider;
  readonly rigs: readonly HostRig[];
}

/** Several processes of one ledger, one provider and one clock. */
async function openCrowd(count: number): Promise<Crowd> {
  const shared = {
    ledger: makeMemoryLedger(),
    ambient: makeManualAmbient(),
    provider: makeScriptedProvider(),
  };
  const rigs: HostRig[] = [];
  for (let at = 0; at < count; at += 1) rigs.push(await openRig({ ...shared, joining: at > 0 }));
  return { ...shared, rigs };
}

function at(rigs: readonly HostRig[], index: number): HostRig {
  const rig = rigs[index];
  if (rig === undefined) throw new Error("no such rig");
  return rig;
}

describe("a key that is known", () => {
  test("answers without proof, credential or provider", async () => {
    const rig = await openRig();
    const first = await commit(rig, await freeze(rig));
    const seen = structuredClone(rig.provider.seen);
    const again = await freeze(rig);
    const answer = await again.commit({ proof: null, signal: patience() });
    expect(answer).toEqual({ ...first, replayed: true });
    expect(rig.provider.seen).toEqual({ ...seen, describes: seen.describes + 1 });
  });

  test("repeats a known result for a day from its settling, which replays do not move", async () => {
    const rig = await openRig();
    await commit(rig, await freeze(rig, { validMs: 86_400_000 }));
    rig.ambient.advance(keyRetentionMs - 1);
    expect(await (await freeze(rig)).observe()).toMatchObject({ replayed: true });
    rig.ambient.advance(1);
    const later = await freeze(rig);
    expect(await later.observe()).toBeNull();
    const answer = await commit(rig, later);
    expect(answer).toMatchObject({ classification: "applied", replayed: false });
    expect(rig.provider.seen.dispatches).toHaveLength(2);
  });

  test("of another caller or another adapter is another key", async () => {
    const shared = { ledger: makeMemoryLedger(), provider: makeScriptedProvider() };
    const rig = await openRig(shared);
    await rig.host.policy.set(
      rigPolicy({
        rules: [
          {
            callers: ["os:ada", "os:bob"],
            adapters: ["prod"],
            operation: "thing.change",
            namespaces: ["web"],
            names: ["*"],
            approvers: ["ada"],
            self_approval: "allowed",
          },
        ],
      }),
    );
    await commit(rig, await freeze(rig));
    const bob = await openRig({ ...shared, joining: true, host: { caller: "os:bob" } });
    const answer = await commit(bob, await freeze(bob));
    expect(answer).toMatchObject({ classification: "applied", replayed: false });
    expect(shared.provider.seen.dispatches).toHaveLength(2);
  });
});

describe("an attempt of somebody else", () => {
  test("is waited for, and its outcome is the answer", async () => {
    const { rigs, ambient, provider } = await openCrowd(2);
    let finish = (): void => undefined;
    provider.script.settle = () =>
      new Promise((resolve) => (finish = () => resolve(appliedWith({ changed: "api" }))));
    const one = commit(at(rigs, 0), await freeze(at(rigs, 0)));
    await letRun();
    const waiting = (await freeze(at(rigs, 1))).observe();
    for (let step = 0; step < 20; step += 1) {
      await letRun();
      ambient.advance(25);
    }
    finish();
    const first = await one;
    const second = await passTimeUntil(ambient, waiting);
    expect(second).toEqual({ ...first, replayed: true });
    expect(provider.seen.dispatches).toHaveLength(1);
  });

  test("is looked at after 25 ms, then ever less often, and at least every 250 ms", async () => {
    const { rigs, ambient, provider } = await openCrowd(2);
    provider.script.settle = never;
    void commit(at(rigs, 0), await freeze(at(rigs, 0)));
    await letRun();
    const waiter = at(rigs, 1);
    const looks: number[] = [];
    const query = waiter.memory.journal.query.bind(waiter.memory.journal);
    waiter.memory.journal.query = (request) => {
      if (request.kind === "attempt") looks.push(ambient.clock.monotonicMs());
      return query(request);
    };
    const start = ambient.clock.monotonicMs();
    const waiting = (await freeze(waiter)).observe();
    for (let step = 0; step < 200; step += 1) {
      await letRun();
      ambient.advance(5);
    }
    expect(looks.map((ms) => ms - start)).toEqual([25, 75, 175, 375, 625, 875]);
    await passTimeUntil(ambient, waiting);
  });

  test("that a waiter gives up on goes on, and the waiter knows nothing", async () => {
    const { rigs, ledger, ambient, provider } = await openCrowd(2);
    let finish = (): void => undefined;
    provider.script.settle = () =>
      new Promise((resolve) => (finish = () => resolve(appliedWith({ changed: "api" }))));
    const frozen = await freeze(at(rigs, 0));
    const one = commit(at(rigs, 0), frozen);
    await letRun();
    const waiter = await freeze(at(rigs, 1));
    const controller = new AbortController();
    const stopped = waiter.observe({ signal: controller.signal });
    await letRun();
    controller.abort();
    const cancelled = await stopped;
    expect(cancelled).toMatchObject({
      classification: "unknown",
      replayed: false,
      failure: { code: "outcome_unknown", retry: "after_check" },
      cause: { code: "interrupted", stage: "observation" },
      attempt: { state: "Dispatching" },
    });
    finish();
    expect(await one).toMatchObject({ classification: "applied" });
    const again = await openRig({ ledger, ambient, provider, joining: true });
    expect(await (await freeze(again)).observe()).toMatchObject({ classification: "applied" });
  });

  test("that outlasts the waiter's time is unknown to it, with the timeout as its cause", async () => {
    const { rigs, ledger, ambient, provider } = await openCrowd(1);
    provider.script.settle = never;
    void commit(at(rigs, 0), await freeze(at(rigs, 0)));
    await letRun();
    // The waiter's clock alone runs: for it the owner is merely slow.
    const slow = makeManualAmbient({ startMs: ambient.clock.nowMs(), seed: 50 });
    const waiter = await openRig({ ledger, provider, ambient: slow, joining: true });
    const answer = await passTimeUntil(slow, (await freeze(waiter)).observe());
    expect(answer).toMatchObject({
      classification: "unknown",
      replayed: false,
      cause: { code: "timeout", stage: "observation" },
    });
    expect(slow.clock.monotonicMs()).toBe(20_000);
  });

  test("whose owner is proved dead is recovered by whoever waits", async () => {
    for (const point of ["begin", "gate"] as const) {
      const { rigs, ambient, provider } = await openCrowd(2);
      const owner = at(rigs, 0);
      owner.tap.after(point, never);
      void commit(owner, await freeze(owner));
      await letRun();
      const waiting = (await freeze(at(rigs, 1))).observe();
      await letRun();
      owner.memory.end();
      const answer = await passTimeUntil(ambient, waiting);
      expect(answer).toMatchObject(
        point === "begin"
          ? { classification: "not_attempted", failure: { code: "interrupted" }, replayed: true }
          : { classification: "unknown", failure: { code: "outcome_unknown" }, replayed: true },
      );
      expect(provider.seen.dispatches).toEqual([]);
    }
  });

  test("that becomes unreadable while it is waited for is unknown", async () => {
    const { rigs, ambient, provider } = await openCrowd(2);
    provider.script.settle = never;
    void commit(at(rigs, 0), await freeze(at(rigs, 0)));
    await letRun();
    at(rigs, 1).tap.failReads("attempt", fail("unavailable", "Not readable."), 1);
    const answer = await passTimeUntil(ambient, (await freeze(at(rigs, 1))).observe());
    expect(answer).toMatchObject({
      classification: "unknown",
      cause: { code: "unavailable", stage: "observation" },
    });
  });
});

describe("equal requests at once", () => {
  test("of many processes with one key and one proof send once, and all are told of it", async () => {
    const { rigs, ambient, provider } = await openCrowd(16);
    const frozen = await freeze(at(rigs, 0));
    const proof = at(rigs, 0).prove(frozen);
    const answers = await Promise.all(
      rigs.map(async (rig): Promise<WriteAnswer> => {
        const opened = await rig.host.openPrepared(frozen.preparedBytes);
        if (!opened.ok) throw new Error(opened.failure.message);
        return passTimeUntil(ambient, opened.value.commit({ proof, signal: patience() }));
      }),
    );
    expect(provider.seen.dispatches).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.attempt?.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.classification === "applied")).toHaveLength(16);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    const verdict = await at(rigs, 0).host.audit.verify();
    expect(verdict).toMatchObject({ ok: true, value: { kind: "whole" } });
  });

  test("of an operation without keys with one proof send once; the others are told of whom", async () => {
    const { rigs, provider } = await openCrowd(8);
    const frozen = await freeze(at(rigs, 0), runRequest);
    const proof = at(rigs, 0).prove(frozen);
    const answers = await Promise.all(
      rigs.map(async (rig) => {
        const opened = await rig.host.openPrepared(frozen.preparedBytes);
        if (!opened.ok) throw new Error(opened.failure.message);
        return opened.value.commit({ proof, signal: patience() });
      }),
    );
    expect(provider.seen.dispatches).toHaveLength(1);
    const [winner, ...more] = answers.filter((answer) => answer.classification === "applied");
    expect(more).toEqual([]);
    for (const answer of answers.filter((other) => other !== winner)) {
      expect(answer).toMatchObject({
        classification: "not_attempted",
        failure: { code: "approval_replayed" },
      });
      expect(answer.failure?.message).toContain(winner?.attempt?.id);
    }
  });

  test("under one key for two things: one is sent, the other is a conflict", async () => {
    const { rigs, provider } = await openCrowd(2);
    const one = await freeze(at(rigs, 0));
    const two = await freeze(at(rigs, 1), { input: { namespace: "web", name: "api", to: "red" } });
    const answers = await Promise.all([commit(at(rigs, 0), one), commit(at(rigs, 1), two)]);
    expect(answers.map((answer) => answer.classification).toSorted()).toEqual([
      "applied",
      "not_attempted",
    ]);
    expect(answers.find((a) => a.classification === "not_attempted")?.failure?.code).toBe(
      "idempotency_conflict",
    );
    expect(provider.seen.dispatches).toHaveLength(1);
  });

  test("that lose at begin discard what they prepared, and close their anchors", async () => {
    const { rigs, ambient, provider } = await openCrowd(2);
    const [one, two] = [at(rigs, 0), at(rigs, 1)];
    const loser = await freeze(two);
    const winner = await freeze(one);
    two.tap.before("begin", async () => void (await commit(one, winner)));
    const answer = await passTimeUntil(ambient, commit(two, loser));
    expect(answer).toMatchObject({ classification: "applied", replayed: true });
    expect(provider.seen).toMatchObject({ preflights: 2, cancels: 1 });
    expect(two.tap.kinds.slice(-3)).toEqual(["anchor", "begin", "abandon"]);
  });
});

describe("before every refusal after a key miss", () => {
  test.each(["verify_proof", "capture", "preflight"] as const)(
    "at %s a winner under the same key is a better answer",
    async (point) => {
      const { rigs, ambient, provider } = await openCrowd(2);
      const [one, two] = [at(rigs, 0), at(rigs, 1)];
      const winner = await freeze(one);
      const loser = await freeze(two);
      const win = async (): Promise<void> => {
        provider.script.review = review;
        provider.script.preflight = preflight;
        await commit(one, winner);
      };
      const { review, preflight } = provider.script;
      let proof = two.prove(loser);
      if (point === "capture") {
        provider.script.review = async () => {
          await win();
          return fail("unauthorized", "Not accepted.");
        };
      } else if (point === "preflight") {
        provider.script.preflight = async () => {
          await win();
          return fail("forbidden", "No such right.");
        };
      } else {
        const query = two.memory.journal.query.bind(two.memory.journal);
        let first = true;
        two.memory.journal.query = async (request) => {
          if (request.kind === "approvers" && first) {
            first = false;
            await win();
          }
          return query(request);
        };
        proof = { jws: "a.b.c" };
      }
      const answer = await passTimeUntil(ambient, loser.commit({ proof, signal: patience() }));
      expect(answer).toMatchObject({ classification: "applied", replayed: true });
      expect(provider.seen.dispatches).toHaveLength(1);
    },
  );

  test("an index that cannot be read any more makes the refusal unknown", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.provider.script.review = () => {
      rig.tap.failReads("key", fail("unavailable", "Not readable."), 1);
      return Promise.resolve(fail("unauthorized", "Not accepted."));
    };
    expect(await commit(rig, frozen)).toMatchObject({
      classification: "unknown",
      cause: { code: "unavailable", stage: "observation" },
    });
  });

  test("another request under the same key changes nothing about it", async () => {
    const { rigs, provider } = await openCrowd(2);
    const [one, two] = [at(rigs, 0), at(rigs, 1)];
    const winner = await freeze(one, { input: { namespace: "web", name: "api", to: "red" } });
    const loser = await freeze(two);
    const { review } = provider.script;
    provider.script.review = async () => {
      provider.script.review = review;
      await commit(one, winner);
      return fail("unauthorized", "Not accepted.");
    };
    expect(await commit(two, loser)).toMatchObject({
      classification: "not_attempted",
      failure: { code: "unauthorized" },
    });
  });
});

test("a spent proof stays spent, whatever became of its attempt", async () => {
  const rig = await openRig();
  const frozen = await freeze(rig, runRequest);
  const proof = rig.prove(frozen);
  rig.tap.before("gate", () => rig.faults.failNextCommit("rolled_back"));
  const aborted = await frozen.commit({ proof, signal: patience() });
  expect(aborted).toMatchObject({ attempt: { state: "Aborted" } });
  const again = await rig.host.openPrepared(frozen.preparedBytes);
  if (!again.ok) throw new Error(again.failure.message);
  expect(await again.value.commit({ proof, signal: patience() })).toMatchObject({
    classification: "not_attempted",
    failure: { code: "approval_replayed" },
  });
  expect(rig.provider.seen.dispatches).toEqual([]);
});

test("an abort and a gate of one attempt: one wins, and the loser never sends", async () => {
  for (const interruptAt of ["before", "after"] as const) {
    const rig = await openRig();
    const controller = new AbortController();
    const frozen = await freeze(rig);
    rig.tap[interruptAt]("gate", () => controller.abort());
    const answer = await commit(rig, frozen, { signal: controller.signal });
    // The gate was asked for before the interruption came: it wins, and the work is done.
    expect(answer.classification).toBe("applied");
    expect(rig.provider.seen.dispatches).toHaveLength(1);
    expect(rig.tap.kinds).not.toContain("abort");
  }
});

test("a proof goes with the bytes that it was signed for, whoever brings it", async () => {
  const rig = await openRig();
  const one = await freeze(rig, { key: "key-1" });
  const two = await freeze(rig, { key: "key-2" });
  const swapped = await two.commit({ proof: rig.prove(one), signal: patience() });
  expect(swapped).toMatchObject({ failure: { code: "approval_refused", reason: "wrong_subject" } });
  expect(rig.provider.seen.dispatches).toEqual([]);
});
