import { describe, expect, test } from "vitest";
import {
  fixtureKey,
  makeFixtureApprover,
  makeFixtureOutcome,
  makeFixturePolicy,
} from "../testing/journal-fixtures.js";
import {
  beginRequest,
  gateRequest,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
  settleRequest,
} from "../testing/journal-requests.js";
import { openMemoryJournal } from "./memory-journal.js";

describe("a ledger in memory", () => {
  test("keeps copies that neither a caller's object nor an answer can change", async () => {
    const { journal } = openMemoryJournal();
    const deadline = { deadlineMs: 1 };
    const result = { generation: 7 };
    const opening = [
      openOwnerRequest(1),
      putPolicyRequest(makeFixturePolicy(1)),
      putApproverRequest(makeFixtureApprover()),
      beginRequest(1, { of: { key_namespace: fixtureKey("a") } }),
      gateRequest(1),
    ];
    for (const request of opening) await journal.transact(request, deadline);
    const settle = settleRequest(1, makeFixtureOutcome("applied", { result }));
    const settled = await journal.transact(settle, deadline);
    result.generation = 8;
    const { attempt } = settle;
    const found = await journal.query({ kind: "attempt", id: attempt });
    expect(found).toMatchObject({ value: { attempt: { outcome: { result: { generation: 7 } } } } });
    expect(settled.ok && Object.isFrozen(settled.value)).toBe(false);
    const kept = found.ok ? found.value.attempt?.outcome : null;
    expect(Object.isFrozen(kept)).toBe(true);
    expect(Object.isFrozen(kept?.result)).toBe(true);
  });

  test("refuses definitely when its time has passed", async () => {
    const { journal } = openMemoryJournal();
    const outcome = await journal.transact(openOwnerRequest(1), { deadlineMs: 0 });
    expect(outcome).toMatchObject({
      ok: false,
      failure: { certainty: "definite", failure: { code: "timeout" } },
    });
    const owners = await journal.query({ kind: "owners", state: null });
    expect(owners).toMatchObject({ value: { owners: [] } });
  });
});
