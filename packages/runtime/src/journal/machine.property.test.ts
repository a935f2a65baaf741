import {
  attemptEventValues,
  isAttemptTerminal,
  keyRetentionMs,
  stepAttempt,
  type Attempt,
  type JournalAnswer,
  type JournalRequest,
  type JournalRequestBegin,
} from "@connectors/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifyChain } from "../audit/verify-chain.js";
import { readAuditPages } from "../audit/audit-pages.js";
import {
  fixtureFingerprint,
  fixtureKey,
  fixtureNonce,
  fixtureTime,
  makeFixtureApprover,
  makeFixtureOutcome,
  makeFixturePolicy,
  makeFixtureProof,
  nameFixturePolicy,
} from "../testing/journal-fixtures.js";
import {
  abandonRequest,
  abortRequest,
  anchorRequest,
  annotateRequest,
  beginRequest,
  gateRequest,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
  recoverRequest,
  refusalRequest,
  releaseOwnerRequest,
  settleRequest,
} from "../testing/journal-requests.js";
import { isReservationLive } from "./key-life.js";
import { toTimeMs } from "./measure.js";
import { makeMemoryLedger, openMemoryJournal, type MemoryLedger } from "./memory-journal.js";
import type { MemoryTables } from "./memory-tables.js";

// Few of each, so that requests meet: they repeat, race, contradict and come too late. Most fit what
// went before, for a sequence of misfits never gets anywhere.
const commands = fc.record({
  kind: fc.constantFrom(
    ...(["begin", "begin", "begin", "gate", "gate", "gate", "settle", "settle", "abort"] as const),
    ...(["open", "release", "recover", "anchor", "record", "policy", "approver"] as const),
  ),
  attempt: fc.integer({ min: 1, max: 6 }),
  process: fc.integer({ min: 1, max: 3 }),
  key: fc.option(fc.constantFrom("order-1", "order-17")),
  /** Which fact, if any, is another than it should be. */
  misfit: fc.oneof(
    { weight: 6, arbitrary: fc.constant("none") },
    { weight: 1, arbitrary: fc.constantFrom("process", "proof", "no_proof", "policy", "time") },
  ),
  passedMs: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: -1000, max: 4000 }) },
    { weight: 1, arbitrary: fc.constantFrom(keyRetentionMs, -20_000) },
  ),
  classification: fc.constantFrom("applied", "refused", "unknown"),
  status: fc.constantFrom(200, 200, 201),
  state: fc.constantFrom("retired", "revoked", "active"),
});

type Command = typeof commands extends fc.Arbitrary<infer C> ? C : never;

/** The request that this command is, at this offset of time, for this ledger. */
function makeRequest(command: Command, offsetMs: number, tables: MemoryTables): JournalRequest {
  const { attempt: n, misfit, process } = command;
  const owner = fixtureNonce(misfit === "process" ? process : (n % 2) + 1);
  const atMs = misfit === "time" ? offsetMs + 3_600_000 : offsetMs;
  const common = { owner, now_ms: fixtureTime(atMs) };
  const outcome = makeFixtureOutcome(command.classification, { http_status: command.status });
  switch (command.kind) {
    case "begin":
      return beginRequest(n, {
        of: {
          owner,
          key_namespace: command.key === null ? null : fixtureKey(command.key),
          expires_at_ms: fixtureTime(offsetMs + 600_000),
        },
        fingerprint: fixtureFingerprint(command.key ?? "none"),
        ...showApproval(command, offsetMs, tables),
        now_ms: common.now_ms,
      });
    case "gate":
      return gateRequest(n, { ...common, ...showApproval(command, offsetMs, tables) });
    case "settle":
      return settleRequest(n, outcome, common);
    case "abort":
      return abortRequest(n, makeFixtureOutcome("not_attempted"), common);
    case "open":
      return openOwnerRequest(process, offsetMs);
    case "release":
      return releaseOwnerRequest(process, offsetMs);
    case "recover":
      return recoverRequest(process, (process % 3) + 1, offsetMs);
    case "anchor":
      return anchorRequest(process, offsetMs);
    case "record":
      if (n === 1) return refusalRequest(process);
      return n === 2 ? abandonRequest(process) : annotateRequest(n, "seen");
    case "policy":
      return putPolicyRequest(makeFixturePolicy((tables.policies.at(-1)?.revision ?? 0) + 1));
    case "approver":
      return putApproverRequest(makeFixtureApprover({ state: command.state }));
  }
}

// The attempt's number is its proof's too; the policy is the one of the moment.
function showApproval(
  { attempt: n, misfit, process }: Command,
  offsetMs: number,
  tables: MemoryTables,
): Pick<JournalRequestBegin, "proof" | "policy"> {
  const current = tables.policies.at(-1) ?? makeFixturePolicy(1);
  const policy = nameFixturePolicy(misfit === "policy" ? makeFixturePolicy(9) : current);
  if (misfit === "no_proof") return { policy, proof: null };
  return { policy, proof: makeFixtureProof(misfit === "proof" ? process : n, offsetMs) };
}

const everyKind = "conflict done exists opened prepared recovered refused settled";

const opening: readonly JournalRequest[] = [
  openOwnerRequest(1),
  openOwnerRequest(2),
  putPolicyRequest(makeFixturePolicy(1)),
  putApproverRequest(makeFixtureApprover()),
];

/** The rows at one moment. They are frozen, so the same object is the same row. */
type Moment = Omit<MemoryTables, "floorMs"> & { readonly floorMs: number };

function keepMoment({ tables }: MemoryLedger): Moment {
  return {
    ...tables,
    audit: [...tables.audit],
    policies: [...tables.policies],
    attempts: new Map(tables.attempts),
    reservations: new Map(tables.reservations),
    spends: new Map(tables.spends),
    owners: new Map(tables.owners),
    approvers: new Map(tables.approvers),
    observations: new Map(tables.observations),
  };
}

function listRows(moment: Moment): readonly unknown[] {
  const { attempts, reservations, spends, owners, approvers, observations } = moment;
  return [
    ...attempts.values(),
    ...reservations.values(),
    ...spends.values(),
    ...owners.values(),
    ...approvers.values(),
    ...observations.values(),
  ];
}

function isUnchanged(before: Moment, after: Moment): boolean {
  const [was, is] = [listRows(before), listRows(after)];
  return (
    before.audit.length === after.audit.length &&
    before.policies.length === after.policies.length &&
    before.floorMs === after.floorMs &&
    was.length === is.length &&
    was.every((row, at) => row === is[at])
  );
}

/** What went missing or was rewritten between two moments. */
function listLosses(before: Moment, after: Moment): readonly string[] {
  const losses: string[] = [];
  if (after.floorMs < before.floorMs) losses.push("time");
  if (before.audit.some((record, at) => after.audit[at] !== record)) losses.push("a record");
  if (before.policies.some((one, at) => after.policies[at] !== one)) losses.push("a policy");
  for (const [id, spend] of before.spends) {
    if (after.spends.get(id) !== spend) losses.push("a spent proof");
  }
  for (const [id, attempt] of before.attempts) {
    if (!isFollowing(attempt, after.attempts.get(id))) losses.push("an attempt");
  }
  for (const [namespace, reservation] of before.reservations) {
    const now = after.reservations.get(namespace);
    const expired = !isReservationLive(reservation, toTimeMs(after.floorMs));
    if (now?.attempt !== reservation.attempt && !expired) losses.push("a live key");
  }
  return losses;
}

function isFollowing(before: Attempt, after: Attempt | undefined): boolean {
  if (before === after) return true;
  if (after === undefined || isAttemptTerminal(before.state)) return false;
  const moved = attemptEventValues.some(
    (event) => stepAttempt(before.state, event) === after.state,
  );
  const { state, dispatched_at_ms, settled_at_ms, outcome, audit } = after;
  const rest = { ...before, state, dispatched_at_ms, settled_at_ms, outcome, audit };
  return moved && JSON.stringify(rest) === JSON.stringify(after);
}

/** What an answer claims of the ledger that is not so. */
function findFalsehood(answer: JournalAnswer, before: Moment, after: Moment): string | null {
  const unchanged = isUnchanged(before, after);
  switch (answer.kind) {
    case "refused":
    case "conflict":
    case "exists":
      return unchanged ? null : "something was written";
    case "prepared":
    case "opened":
      if (after.attempts.get(answer.attempt.id)?.state !== answer.attempt.state) return "no row";
      return unchanged ? "nothing was written" : null;
    case "settled":
      if (after.attempts.get(answer.attempt.id)?.outcome === undefined) return "no outcome";
      return unchanged === answer.repeated ? null : "written twice, or never";
    case "recovered":
      return unchanged === (answer.audit === null) ? null : "recorded without a record";
    case "done":
      return unchanged ? "nothing was written" : null;
  }
}

// These are refused as unavailable for contradicting rows alone, never for the clock.
const neverUnavailable: readonly JournalRequest["kind"][] = [
  ...(["recover", "annotate", "put_policy", "put_approver", "release_owner"] as const),
];

function expectTrueRows({ tables }: MemoryLedger): void {
  const spent = new Set([...tables.spends.values()].map((spend) => spend.attempt));
  expect(spent.size).toBe(tables.spends.size);
  for (const attempt of tables.attempts.values()) {
    const live = tables.owners.get(attempt.owner)?.state === "live";
    expect(isAttemptTerminal(attempt.state) || live).toBe(true);
    expect(attempt.reference === null || spent.has(attempt.id)).toBe(true);
  }
}

async function play(sequence: readonly Command[], seen: Set<string>): Promise<void> {
  const ledger = makeMemoryLedger();
  const { journal } = openMemoryJournal({ ledger });
  for (const request of opening) await journal.transact(request, { deadlineMs: 1 });
  let offsetMs = 0;
  for (const command of sequence) {
    offsetMs = Math.max(0, offsetMs + command.passedMs);
    const request = makeRequest(command, offsetMs, ledger.tables);
    const before = keepMoment(ledger);
    const outcome = await journal.transact(request, { deadlineMs: 1 });
    const after = keepMoment(ledger);
    expect(listLosses(before, after)).toEqual([]);
    if (!outcome.ok) {
      // An attempt's id was used again; nothing else fails without an answer.
      expect([request.kind, isUnchanged(before, after)]).toEqual(["begin", true]);
      continue;
    }
    const answer: JournalAnswer = outcome.value;
    seen.add(answer.kind);
    expect(findFalsehood(answer, before, after)).toBeNull();
    if (answer.kind === "refused" && answer.code === "unavailable") {
      expect(neverUnavailable).not.toContain(request.kind);
    }
  }
  expectTrueRows(ledger);
  const verdict = await verifyChain(readAuditPages(journal, 7));
  expect(verdict).toMatchObject({ ok: true, value: { kind: "whole" } });
}

describe("the ledger's machine, under any order of requests", () => {
  test("loses nothing, forgets no spent proof, keeps rows and chain whole", async () => {
    const seen = new Set<string>();
    const sequences = fc.array(commands, { minLength: 10, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sequences, (sequence) => play(sequence, seen)),
      { numRuns: 300 },
    );
    // Sequences that never get anywhere would prove nothing.
    expect([...seen].toSorted().join(" ")).toBe(everyKind);
  });
});
