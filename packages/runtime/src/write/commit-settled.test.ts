import { parseWriteAnswer, type WriteAnswer } from "@connectors/domain";
import { fail, makeFailure, type JsonObject, type Settlement } from "@connectors/sdk";
import { describe, expect, test } from "vitest";
import { commit, freeze, openRig, runRequest, type HostRig } from "../testing/host-rig.js";
import { changeDeclaration } from "../testing/scripted-declarations.js";
import { appliedWith } from "../testing/scripted-provider.js";

const provider = { http_status: 409, resource_version: null };

async function settleWith(
  settlement: unknown,
  request: object = {},
): Promise<{ rig: HostRig; answer: WriteAnswer; replay: WriteAnswer | null }> {
  const rig = await openRig();
  // What an adapter in JavaScript could say, whatever the types of ours allow.
  rig.provider.script.settle = () => Promise.resolve(settlement as Settlement);
  const frozen = await freeze(rig, request);
  const answer = await commit(rig, frozen);
  expect(parseWriteAnswer(JSON.parse(JSON.stringify(answer)))).toMatchObject({ ok: true });
  expect(rig.provider.seen.dispatches).toHaveLength(1);
  const replay = await frozen.observe();
  expect(rig.provider.seen.dispatches).toHaveLength(1);
  return { rig, answer, replay };
}

describe("an adapter's applied", () => {
  test("is Completed, and its key repeats the result", async () => {
    const { answer, replay } = await settleWith(appliedWith({ changed: "api" }));
    expect(answer).toMatchObject({ classification: "applied", attempt: { state: "Completed" } });
    expect(replay).toEqual({ ...answer, replayed: true });
  });

  test("keeps the summary and no output of an operation without keys", async () => {
    const summary = {
      exit_code: 3,
      stdout_bytes: 6,
      stderr_bytes: 0,
      stdout_truncated: false,
      stderr_truncated: false,
    };
    const settlement = { ...appliedWith({ changed: "secret output" }), summary };
    const { rig, answer } = await settleWith(settlement, runRequest);
    expect(answer.result).toEqual({ changed: "secret output" });
    const shown = await rig.host.attempts.show(answer.attempt?.id ?? "");
    const kept = shown.ok ? shown.value.attempt.outcome : null;
    expect(kept).toMatchObject({ classification: "applied", result: null, summary });
    expect(JSON.stringify(shown)).not.toContain("secret output");
  });

  test("with a summary that is none keeps none", async () => {
    const settlement = { ...appliedWith({ changed: "api" }), summary: { exit_code: 4000 } };
    const { rig, answer } = await settleWith(settlement, runRequest);
    const shown = await rig.host.attempts.show(answer.attempt?.id ?? "");
    expect(shown.ok && shown.value.attempt.outcome?.summary).toBeNull();
  });

  const { result_bytes: bytesMax } = changeDeclaration.limits;
  const sized = (bytes: number): JsonObject => ({ changed: "x".repeat(bytes - 14) });
  const deep = (levels: number): JsonObject =>
    levels === 0 ? {} : { changed: "api", deeper: deep(levels - 1) };

  test.each([
    ["that does not fit its model", { unchanged: "api" }, "upstream_protocol"],
    ["that is no object", ["api"], "upstream_protocol"],
    ["that is null", null, "upstream_protocol"],
    ["that JSON cannot carry", { changed: Number.NaN }, "upstream_protocol"],
    ["that holds a function", { changed: () => "api" }, "upstream_protocol"],
    ["one byte larger than declared", sized(bytesMax + 1), "capacity"],
    ["deeper than any", deep(70), "capacity"],
  ])("with a result %s is applied all the same, and an error", async (_what, result, code) => {
    const { answer, replay } = await settleWith({ ...appliedWith({}), result });
    expect(answer).toMatchObject({
      classification: "applied",
      result: null,
      failure: { code, effect: "applied", retry: "never" },
      cause: { code, stage: "response" },
      attempt: { state: "Completed" },
    });
    expect(replay).toEqual({ ...answer, replayed: true });
  });

  test("with a result of exactly the declared bytes is given whole", async () => {
    const { answer } = await settleWith(appliedWith(sized(bytesMax)));
    expect(answer.result).toEqual(sized(bytesMax));
  });

  test("with a failure is applied, and that error", async () => {
    const failure = makeFailure("upstream_protocol", "It answered something else.");
    const { answer, replay } = await settleWith({ kind: "applied_failure", failure, provider });
    expect(answer).toMatchObject({
      classification: "applied",
      failure: { code: "upstream_protocol", effect: "applied", retry: "never" },
      cause: { code: "upstream_protocol", stage: "response" },
      attempt: { state: "Completed" },
    });
    expect(replay?.classification).toBe("applied");
  });
});

describe("an adapter's refused", () => {
  test.each(["dispatch", "response"] as const)("at %s is Failed, and that error", async (stage) => {
    const failure = makeFailure("invalid_input", "The version is stale.");
    const { rig, answer, replay } = await settleWith({ kind: "refused", failure, stage, provider });
    expect(answer).toMatchObject({
      classification: "refused",
      result: null,
      failure: { code: "invalid_input", effect: "none", retry: "new_key" },
      cause: { code: "invalid_input", stage },
      attempt: { state: "Failed" },
    });
    expect(replay).toEqual({ ...answer, replayed: true });
    const shown = await rig.host.attempts.show(answer.attempt?.id ?? "");
    expect(shown.ok && shown.value.attempt.outcome?.http_status).toBe(409);
  });

  test("that says at once that something happened is unknown", async () => {
    for (const failure of [
      makeFailure("outcome_unknown", "Who knows."),
      makeFailure("timeout", "Late.", { effect: "applied" }),
      makeFailure("timeout", "Late.", { effect: "unknown" }),
    ]) {
      const { answer } = await settleWith({
        kind: "refused",
        failure,
        stage: "dispatch",
        provider,
      });
      expect(answer).toMatchObject({ classification: "unknown", cause: { code: "internal" } });
    }
  });

  test("without a reason from a closed set loses its reason", async () => {
    const failure = makeFailure("forbidden", "Denied.", { reason: 'pods "x" is forbidden' });
    const { answer } = await settleWith({ kind: "refused", failure, stage: "response", provider });
    expect(answer.failure).not.toHaveProperty("reason");
    const closed = makeFailure("forbidden", "Denied.", { reason: "NotFound" });
    const other = await settleWith({
      kind: "refused",
      failure: closed,
      stage: "response",
      provider,
    });
    expect(other.answer.failure?.reason).toBe("NotFound");
  });
});

describe("an adapter's unknown", () => {
  const observed = {
    stdout: "half of it",
    stderr: "",
    stdout_truncated: false,
    stderr_truncated: false,
    status_reason: "InternalError",
  };
  const failure = makeFailure("outcome_unknown", "The stream ended without a status.");
  const settlement = {
    kind: "unknown",
    failure,
    code: "upstream_protocol",
    stage: "response",
    provider,
  };

  test("is Indeterminate, quarantines its key for ever, and says what to look at", async () => {
    const { rig, answer, replay } = await settleWith(settlement);
    expect(answer).toMatchObject({
      classification: "unknown",
      failure: { code: "outcome_unknown", effect: "unknown", retry: "after_check" },
      cause: { code: "upstream_protocol", stage: "response" },
      attempt: { state: "Indeterminate" },
    });
    expect(answer.failure?.hint).toContain(answer.attempt?.id);
    expect(answer.failure?.hint).toContain("connectors read prod/thing.get");
    expect(replay).toEqual({ ...answer, replayed: true });
    rig.ambient.advance(10 * 86_400_000);
    const later = await freeze(rig);
    expect(await later.observe()).toMatchObject({ classification: "unknown", replayed: true });
  });

  test("gives what was observed once, to the live caller, and keeps none of it", async () => {
    const { rig, answer } = await settleWith({ ...settlement, observed }, runRequest);
    expect(answer.observed).toEqual(observed);
    const shown = await rig.host.attempts.show(answer.attempt?.id ?? "");
    expect(JSON.stringify(shown)).not.toContain("half of it");
    const keyed = await settleWith({ ...settlement, observed });
    expect(keyed.replay?.observed).toBeNull();
  });

  test("with an observation that is none gives none", async () => {
    const { answer } = await settleWith({ ...settlement, observed: { stdout: 1 } });
    expect(answer).toMatchObject({ classification: "unknown", observed: null });
  });

  test("whose cause is no code, or outcome_unknown itself, has an internal one", async () => {
    for (const code of ["outcome_unknown", "nonsense"]) {
      const { answer } = await settleWith({ ...settlement, code });
      expect(answer.cause?.code).toBe("internal");
    }
  });
});

describe("an adapter that misbehaves after the gate", () => {
  test.each([
    ["nothing", undefined],
    ["a text", "applied"],
    ["an unknown kind", { kind: "done" }],
    ["a kind of its prototype", Object.create({ kind: "applied" })],
  ])("by answering %s leaves it unknown", async (_what, settlement) => {
    const { answer } = await settleWith(settlement);
    expect(answer.classification === "unknown" || answer.classification === "applied").toBe(true);
    expect(answer.failure?.effect).not.toBe("none");
  });

  test("by breaking off leaves it unknown, with no word of what it threw", async () => {
    const rig = await openRig();
    rig.provider.script.settle = () => Promise.reject(new Error("token hunter2"));
    const answer = await commit(rig, await freeze(rig));
    expect(answer).toMatchObject({
      classification: "unknown",
      cause: { code: "internal", stage: "dispatch" },
      attempt: { state: "Indeterminate" },
    });
    expect(JSON.stringify(answer)).not.toContain("hunter2");
  });

  test("by describing its failure wrongly is still classified by what it said happened", async () => {
    const failure = { code: "no_such_code", message: "x".repeat(5000) };
    const { answer } = await settleWith({ kind: "unknown", failure, code: "timeout", stage: "x" });
    expect(answer).toMatchObject({
      classification: "unknown",
      cause: { code: "timeout", stage: "dispatch" },
    });
    const refused = await settleWith({ kind: "refused", failure, stage: "response" });
    expect(refused.answer).toMatchObject({
      classification: "refused",
      failure: { code: "internal" },
    });
  });

  test("by a correlation that is none keeps none", async () => {
    const bad = { http_status: 99_999, resource_version: "not a number" };
    const { rig, answer } = await settleWith({ ...appliedWith({ changed: "a" }), provider: bad });
    const shown = await rig.host.attempts.show(answer.attempt?.id ?? "");
    expect(shown.ok && shown.value.attempt.outcome).toMatchObject({
      http_status: null,
      resource_version: null,
    });
  });
});

describe("between gate and send", () => {
  test("a connection that gives no way to write is refused: nothing was sent", async () => {
    for (const open of [
      () => fail("unavailable", "The pool is closed."),
      () => {
        throw new Error("boom");
      },
    ]) {
      const rig = await openRig();
      rig.provider.script.open = open;
      const answer = await commit(rig, await freeze(rig));
      expect(answer).toMatchObject({
        classification: "refused",
        failure: { effect: "none", retry: "new_key" },
        cause: { stage: "dispatch" },
        attempt: { state: "Failed" },
      });
      expect(rig.provider.seen).toMatchObject({ dispatches: [], cancels: 1, disposals: 1 });
    }
  });
});

describe("step 10, the settlement", () => {
  test.each(["rolled_back", "unacknowledged", "lost"] as const)(
    "that is %s leaves the live answer as it is, with the store as its cause",
    async (fault) => {
      const rig = await openRig();
      const frozen = await freeze(rig);
      rig.tap.before("settle", () => rig.faults.failNextCommit(fault));
      const answer = await commit(rig, frozen);
      expect(parseWriteAnswer(JSON.parse(JSON.stringify(answer)))).toMatchObject({ ok: true });
      expect(answer).toMatchObject({
        classification: "applied",
        result: { changed: "api" },
        cause: { code: "unavailable", stage: "attempt_store" },
        attempt: { state: "Dispatching", settled_at: null },
      });
      expect(rig.provider.seen.dispatches).toHaveLength(1);
    },
  );

  test("that finds the attempt closed by a recovery keeps what the dispatch proved", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const other = await openRig({ ledger: rig.ledger, ambient: rig.ambient, joining: true });
    rig.tap.before("settle", async () => {
      for (const nonce of rig.ledger.locks.keys()) rig.ledger.locks.set(nonce, null);
      await other.host.recover();
    });
    const answer = await commit(rig, frozen);
    expect(answer).toMatchObject({
      classification: "applied",
      result: { changed: "api" },
      cause: { code: "unavailable", stage: "attempt_store" },
    });
    const again = await freeze(other);
    expect(await again.observe()).toMatchObject({ classification: "unknown", replayed: true });
  });
});
