import { parseWriteAnswer, type WriteAnswer } from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { commit, freeze, openRig, runRequest } from "../testing/host-rig.js";

function expectWhole(answer: WriteAnswer): void {
  const parsed = parseWriteAnswer(JSON.parse(JSON.stringify(answer)));
  expect(parsed).toMatchObject({ ok: true });
}

describe("a write that nothing stops", () => {
  test("is sent once, and answered with its result", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    expect(await frozen.observe()).toBeNull();
    const answer = await commit(rig, frozen);
    expectWhole(answer);
    expect(answer).toMatchObject({
      classification: "applied",
      result: { changed: "api" },
      failure: null,
      cause: null,
      replayed: false,
      key: "key-1",
      attempt: { state: "Completed" },
      approval: { approver: "ada", separation: "none", subject_sha256: frozen.subjectSha256 },
    });
    expect(rig.provider.seen).toMatchObject({
      describes: 2,
      captures: 1,
      preflights: 1,
      cancels: 0,
      disposals: 1,
    });
    expect(rig.provider.seen.dispatches).toEqual([
      {
        operation: "thing.change",
        correlation: answer.attempt?.id,
        input: { namespace: "web", name: "api", to: "blue" },
      },
    ]);
  });

  test("writes four records: anchor, decision, dispatch, outcome", async () => {
    const rig = await openRig();
    const before = rig.tap.kinds.length;
    const answer = await commit(rig, await freeze(rig));
    expect(rig.tap.kinds.slice(before)).toEqual(["anchor", "begin", "gate", "settle"]);
    const verdict = await rig.host.audit.verify();
    expect(verdict).toMatchObject({ ok: true, value: { kind: "whole" } });
    const head = await rig.host.audit.head();
    expect(head.ok && head.value).toEqual(answer.audit);
  });

  test("without a key is another effect each time, and keeps no output", async () => {
    const rig = await openRig();
    const first = await commit(rig, await freeze(rig, runRequest));
    const second = await commit(rig, await freeze(rig, runRequest));
    expect([first.classification, second.classification]).toEqual(["applied", "applied"]);
    expect(rig.provider.seen.dispatches).toHaveLength(2);
    const shown = await rig.host.attempts.show(first.attempt?.id ?? "");
    expect(shown.ok && shown.value.attempt.outcome?.result).toBeNull();
  });
});
