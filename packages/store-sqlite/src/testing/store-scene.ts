import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JournalAnswer, JournalRequest } from "@connectors/domain";
import type { Journal } from "@connectors/runtime";
import {
  fixtureNonce,
  makeFixtureApprover,
  makeFixturePolicy,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
} from "@connectors/runtime/testing";
import type { Failure, Outcome } from "@connectors/sdk";
import type { ContractCase } from "@connectors/sdk/testing";
import type { SqlConnection, SqlDriver } from "../driver/sql-driver.js";
import { makeStorePaths, type StorePaths } from "../files/store-paths.js";
import {
  openSqliteJournal,
  type SqliteJournal,
  type SqliteJournalOptions,
} from "../open-sqlite-journal.js";
import { expectSame, expectThat } from "./expect.js";

/** A driver, and an empty directory in which the case may make stores. */
export interface StoreHarness {
  readonly driver: SqlDriver;
  readonly directory: string;
}

/** One promise of a store in SQLite that the journal's port says nothing of. */
export type StoreCase = ContractCase<StoreHarness>;

/** How long a case lets a store wait for another process. */
export const caseDeadlineMs = 10_000;

/** A store of the harness that was filled a little and closed. */
export interface ClosedStore {
  readonly paths: StorePaths;
  open(options?: Partial<SqliteJournalOptions>): Promise<Outcome<SqliteJournal>>;
  /** Works on the ledger's file behind the store's back. */
  tamper(work: (connection: SqlConnection) => void): void;
}

/** A store of the harness, not yet made. */
export function nameStore({ driver, directory }: StoreHarness, name = "state"): ClosedStore {
  const paths = makeStorePaths(join(directory, name));
  return {
    paths,
    open: (options = {}) =>
      openSqliteJournal({
        directory: paths.directory,
        thread: "caller",
        driver: driver.name,
        ...options,
      }),
    tamper: (work) => {
      const connection = driver.open(paths.ledger, "existing");
      try {
        work(connection);
      } finally {
        connection.close();
      }
    },
  };
}

/** A store of the harness with a process, a policy and an approver in it, closed. */
export async function makeClosedStore(harness: StoreHarness, name?: string): Promise<ClosedStore> {
  const store = nameStore(harness, name);
  const { journal } = await expectOpen(store.open());
  await register(journal);
  await journal.close();
  return store;
}

/** The first process, the first policy and bob's key. */
export async function register(journal: Journal): Promise<void> {
  await expectAnswer(journal, openOwnerRequest(1), "done");
  await expectAnswer(journal, putPolicyRequest(makeFixturePolicy(1)), "done");
  await expectAnswer(journal, putApproverRequest(makeFixtureApprover()), "done");
}

/** Whether the first process is there, which says that the store still knows something. */
export async function knowsOwner(journal: Journal): Promise<boolean> {
  const view = await journal.query({ kind: "owners", state: null });
  return view.ok && view.value.owners.some((owner) => owner.nonce === fixtureNonce(1));
}

/** The open store; fails the case when it did not open. */
export async function expectOpen(opening: Promise<Outcome<SqliteJournal>>): Promise<SqliteJournal> {
  const opened = await opening;
  expectThat(opened.ok, `a store opens: ${JSON.stringify(opened)}`);
  return opened.value;
}

/** The failure of an open that was refused with this code; its hint says what to do. */
export async function expectRefused(
  opening: Promise<Outcome<SqliteJournal>>,
  what: string,
): Promise<Failure> {
  const opened = await opening;
  expectThat(!opened.ok, `${what} is refused`);
  expectSame(opened.failure.code, "unavailable", what);
  expectThat(opened.failure.hint.length > 0, `${what} has a hint`);
  return opened.failure;
}

/** Sends what must be answered so. */
export async function expectAnswer(
  journal: Journal,
  request: JournalRequest,
  kind: JournalAnswer["kind"],
): Promise<void> {
  const outcome = await journal.transact(request, { deadlineMs: caseDeadlineMs });
  const seen = outcome.ok ? outcome.value.kind : JSON.stringify(outcome.failure);
  expectSame(seen, kind, request.kind);
}

/** `certainty code` of a failed transaction, `refused code` of a refused one, else its answer. */
export async function readEnd(journal: Journal, request: JournalRequest): Promise<string> {
  const outcome = await journal.transact(request, { deadlineMs: caseDeadlineMs });
  if (outcome.ok) {
    const answer: JournalAnswer = outcome.value;
    return answer.kind === "refused" ? `refused ${answer.code}` : answer.kind;
  }
  return `${outcome.failure.certainty} ${outcome.failure.failure.code}`;
}

/** A directory of this user alone. */
export function makePrivate(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
