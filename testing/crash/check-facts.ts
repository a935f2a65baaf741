import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  encodeCanonicalAuditRecord,
  encodeCanonicalKeptOutcome,
  isAttemptTerminal,
  pageMax,
  parseAuditRecord,
  type Attempt,
} from "@connectors/domain";
import { readAuditPages, verifyChain } from "@connectors/runtime";
import { sha256Hex } from "@connectors/sdk";
import { checkSqliteStore } from "@connectors/store-sqlite";
import { must } from "../programs/cluster-host.js";
import { openStore, type FurnishedStore, type OpenedStore } from "./furnished-store.js";
import type { ChildLine } from "./plan.js";

/** Every promise that the store was found to have broken; empty when it kept them all. */
export type Broken = readonly string[];

/** What a store knew when it was checked. */
export interface Checked {
  readonly broken: Broken;
  /** Every attempt's state. */
  readonly states: ReadonlyMap<string, string>;
}

/**
 * Opens the store after the end of its last life, recovers, and holds everything against what was
 * acknowledged and what the cluster saw.
 */
export async function checkFacts(
  store: FurnishedStore,
  acknowledged: readonly ChildLine[],
  patches: ReadonlyMap<string, number>,
): Promise<Checked> {
  const broken: string[] = [];
  const file = must(await checkSqliteStore({ directory: store.directory }));
  broken.push(...file.map((problem) => `the file: ${problem}`));
  const opened = await openStore(store);
  try {
    const attempts = await listAttempts(opened);
    broken.push(
      ...(await checkRecovery(opened, attempts)),
      ...(await checkChain(opened, acknowledged)),
      ...checkAcknowledged(attempts, acknowledged),
      ...checkRequests(attempts, patches),
    );
    return { broken, states: new Map(attempts.map(({ id, state }) => [id, state])) };
  } finally {
    await opened.close();
    const locks = readdirSync(join(store.directory, "owners"));
    if (locks.length > 0) broken.push(`${locks.length} lock files outlived their owners`);
  }
}

async function listAttempts({ journal }: OpenedStore): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (;;) {
    const page = must(
      await journal.query({
        kind: "attempts",
        state: null,
        operation: null,
        since_ms: null,
        before: attempts.at(-1)?.id ?? null,
        limit: pageMax,
      }),
    );
    attempts.push(...page.attempts);
    if (page.attempts.length < pageMax) return attempts;
  }
}

async function checkRecovery(
  { host, journal }: OpenedStore,
  attempts: readonly Attempt[],
): Promise<Broken> {
  const broken = attempts
    .filter((attempt) => !isAttemptTerminal(attempt.state))
    .map((attempt) => `${attempt.id} is ${attempt.state} after recovery`);
  const report = must(await host.recover());
  if (report.undecided.length > 0) broken.push(`owners undecided: ${report.undecided.join(", ")}`);
  const { owners } = must(await journal.query({ kind: "owners", state: "live" }));
  // This process became one only if it had something to recover.
  if (owners.length > 1) broken.push(`${owners.length} owners live, and one process does`);
  const keys = attempts.map((attempt) => attempt.key_namespace);
  if (new Set(keys).size !== keys.length) broken.push("two attempts have one key");
  return broken;
}

async function checkChain(
  { journal }: OpenedStore,
  acknowledged: readonly ChildLine[],
): Promise<Broken> {
  const verdict = must(await verifyChain(readAuditPages(journal)));
  if (verdict.kind === "broken") return [`the chain breaks at ${verdict.sequence}`];
  const digests = new Map<number, string>();
  for await (const page of readAuditPages(journal)) {
    for (const read of must(page).records) {
      const record = parseAuditRecord(read);
      if (!record.ok) return ["a record of the chain does not fit its model"];
      const { sequence } = record.value;
      digests.set(sequence, sha256Hex(encodeCanonicalAuditRecord(record.value)));
    }
  }
  return acknowledged.flatMap((line) =>
    line.kind === "record" && digests.get(line.sequence) !== line.sha256
      ? [`the acknowledged record ${line.sequence} is not there`]
      : [],
  );
}

function checkAcknowledged(
  attempts: readonly Attempt[],
  acknowledged: readonly ChildLine[],
): Broken {
  const byId = new Map<string, Attempt>(attempts.map((attempt) => [attempt.id, attempt]));
  return acknowledged.flatMap((line) => {
    if (line.kind === "attempt") {
      const attempt = byId.get(line.id);
      if (attempt === undefined) return [`the acknowledged attempt ${line.id} is not there`];
      return isConsequence(line, attempt)
        ? []
        : [`${line.id} was acknowledged ${line.state} and is ${attempt.state}`];
    }
    if (line.kind !== "answer") return [];
    const attempt = line.attempt === null ? undefined : byId.get(line.attempt);
    const seen = attempt?.outcome?.classification ?? "not_attempted";
    return seen === line.classification
      ? []
      : [`${line.key} was answered ${line.classification} and the ledger says ${seen}`];
  });
}

function isConsequence(
  line: Extract<ChildLine, { kind: "attempt" }>,
  { state, outcome }: Attempt,
): boolean {
  switch (line.state) {
    case "Prepared":
      return true;
    case "Dispatching":
      return state === "Completed" || state === "Failed" || state === "Indeterminate";
    default:
      return (
        state === line.state &&
        outcome !== null &&
        encodeCanonicalKeptOutcome(outcome) === line.outcome
      );
  }
}

function checkRequests(attempts: readonly Attempt[], patches: ReadonlyMap<string, number>): Broken {
  const twice = [...patches]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => `${count} requests for the attempt ${id}`);
  const wrong = attempts.flatMap(({ id, state }) => {
    const count = patches.get(id) ?? 0;
    if (state === "Aborted" && count > 0) return [`${id} is Aborted and was sent`];
    if (state === "Completed" && count === 0) return [`${id} is Completed and was never sent`];
    return [];
  });
  return [...twice, ...wrong];
}
