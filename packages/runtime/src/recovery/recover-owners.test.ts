import { makeManualAmbient } from "@connectors/sdk/testing";
import { describe, expect, test } from "vitest";
import { journalLimits } from "../journal/limits.js";
import {
  makeMemoryLedger,
  openMemoryJournal,
  type MemoryJournal,
  type MemoryLedger,
} from "../journal/memory-journal.js";
import {
  fixtureAttemptId,
  fixtureNonce,
  makeFixtureApprover,
  makeFixturePolicy,
} from "../testing/journal-fixtures.js";
import { makeFaultyJournal } from "../testing/journal-faults.js";
import {
  beginRequest,
  gateRequest,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
  releaseOwnerRequest,
} from "../testing/journal-requests.js";
import { recoverOwners, type RecoveryOptions } from "./recover-owners.js";

const deadline = { deadlineMs: 1000 };

async function openProcess(ledger: MemoryLedger, n: number): Promise<MemoryJournal> {
  const process = openMemoryJournal({ ledger, limits: journalLimits });
  await process.locks.hold(fixtureNonce(n));
  await process.journal.transact(openOwnerRequest(n), deadline);
  return process;
}

async function openWithTwoAttempts(ledger: MemoryLedger): Promise<MemoryJournal> {
  const process = await openProcess(ledger, 1);
  const requests = [
    putPolicyRequest(makeFixturePolicy(1)),
    putApproverRequest(makeFixtureApprover()),
    beginRequest(1),
    beginRequest(2),
    gateRequest(2),
  ];
  for (const request of requests) {
    const outcome = await process.journal.transact(request, deadline);
    expect(outcome).toMatchObject({ ok: true });
  }
  return process;
}

function optionsOf(process: MemoryJournal, n: number): RecoveryOptions {
  const { clock } = makeManualAmbient();
  const { journal, locks } = process;
  return { journal, locks, clock, self: fixtureNonce(n), deadlineMs: 1000 };
}

const nothing = { recovered: [], alive: [], undecided: [], failed: [] };

describe("recovery", () => {
  test("a living process and its attempts are left alone, however old they are", async () => {
    const ledger = makeMemoryLedger();
    await openWithTwoAttempts(ledger);
    const options = optionsOf(await openProcess(ledger, 2), 2);
    const late = { nowMs: () => 4_000_000_000_000, monotonicMs: () => 0 };
    const report = await recoverOwners({ ...options, clock: late });
    expect(report).toEqual({ ok: true, value: { ...nothing, alive: [fixtureNonce(1)] } });
    const found = await options.journal.query({ kind: "attempt", id: fixtureAttemptId(2) });
    expect(found).toMatchObject({ value: { attempt: { state: "Dispatching" } } });
  });

  test("a dead process's attempts are closed, once", async () => {
    const ledger = makeMemoryLedger();
    (await openWithTwoAttempts(ledger)).end();
    const options = optionsOf(await openProcess(ledger, 2), 2);
    const attempts = [fixtureAttemptId(1), fixtureAttemptId(2)];
    expect(await recoverOwners(options)).toEqual({
      ok: true,
      value: { ...nothing, recovered: [{ owner: fixtureNonce(1), attempts }] },
    });
    const states = [];
    for (const id of attempts) {
      const found = await options.journal.query({ kind: "attempt", id });
      states.push(found.ok && found.value.attempt?.state);
    }
    expect(states).toEqual(["Aborted", "Indeterminate"]);
    expect(await recoverOwners(options)).toEqual({ ok: true, value: nothing });
  });

  test("a process whose lock is gone stays undecided, and its attempts open", async () => {
    const ledger = makeMemoryLedger();
    (await openWithTwoAttempts(ledger)).end();
    ledger.locks.delete(fixtureNonce(1));
    const options = optionsOf(await openProcess(ledger, 2), 2);
    expect(await recoverOwners(options)).toEqual({
      ok: true,
      value: { ...nothing, undecided: [fixtureNonce(1)] },
    });
    const found = await options.journal.query({ kind: "attempt", id: fixtureAttemptId(1) });
    expect(found).toMatchObject({ value: { attempt: { state: "Prepared" } } });
  });

  test("a process that ends in order during the look is not called undecided", async () => {
    const ledger = makeMemoryLedger();
    const first = await openProcess(ledger, 1);
    const options = optionsOf(await openProcess(ledger, 2), 2);
    const locks: RecoveryOptions["locks"] = {
      hold: (nonce) => options.locks.hold(nonce),
      async seize(nonce) {
        await first.journal.transact(releaseOwnerRequest(1), deadline);
        ledger.locks.delete(nonce);
        return options.locks.seize(nonce);
      },
    };
    expect(await recoverOwners({ ...options, locks })).toEqual({ ok: true, value: nothing });
  });

  test("a recovery that could not be written is reported, and done the next time", async () => {
    const ledger = makeMemoryLedger();
    (await openWithTwoAttempts(ledger)).end();
    const process = await openProcess(ledger, 2);
    const faulty = makeFaultyJournal(process.journal);
    const options = { ...optionsOf(process, 2), journal: faulty.journal };
    faulty.failNextCommit("rolled_back");
    const first = await recoverOwners(options);
    expect(first).toMatchObject({ value: { recovered: [], failed: [{ owner: fixtureNonce(1) }] } });
    const second = await recoverOwners(options);
    expect(second).toMatchObject({
      value: { recovered: [{ owner: fixtureNonce(1) }], failed: [] },
    });
  });

  test("a recovery whose commit is unacknowledged is found done by the next process", async () => {
    const ledger = makeMemoryLedger();
    (await openWithTwoAttempts(ledger)).end();
    const process = await openProcess(ledger, 2);
    const faulty = makeFaultyJournal(process.journal);
    faulty.failNextCommit("unacknowledged");
    const first = await recoverOwners({ ...optionsOf(process, 2), journal: faulty.journal });
    expect(first).toMatchObject({ value: { failed: [{ owner: fixtureNonce(1) }] } });
    process.end();
    const third = await openProcess(ledger, 3);
    expect(await recoverOwners(optionsOf(third, 3))).toEqual({
      ok: true,
      value: { ...nothing, recovered: [{ owner: fixtureNonce(2), attempts: [] }] },
    });
  });

  test("of two recoverers at once, one recovers and the other finds it alive or done", async () => {
    const ledger = makeMemoryLedger();
    (await openWithTwoAttempts(ledger)).end();
    const second = optionsOf(await openProcess(ledger, 2), 2);
    const third = optionsOf(await openProcess(ledger, 3), 3);
    const reports = await Promise.all([recoverOwners(second), recoverOwners(third)]);
    const recovered = reports.flatMap((report) => (report.ok ? report.value.recovered : []));
    expect(recovered.map((one) => one.owner)).toEqual([fixtureNonce(1)]);
  });

  test("a store that cannot be read is a failure, not an empty report", async () => {
    const process = await openProcess(makeMemoryLedger(), 2);
    await process.journal.close();
    expect(await recoverOwners(optionsOf(process, 2))).toMatchObject({ ok: false });
  });
});
