import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import {
  beginRequest,
  fixtureNonce,
  openOwnerRequest,
  recoverRequest,
  releaseOwnerRequest,
} from "@connectors/runtime/testing";
import { lockPath } from "../files/store-paths.js";
import type { SqliteJournal } from "../open-sqlite-journal.js";
import { expectSame, expectThat } from "./expect.js";
import {
  expectAnswer,
  expectOpen,
  makeClosedStore,
  nameStore,
  register,
  type ClosedStore,
  type StoreCase,
} from "./store-scene.js";

const first = fixtureNonce(1);
const second = fixtureNonce(2);

/** Lock files: who makes them, who removes them, and when. */
export const storeLockCases: readonly StoreCase[] = [
  {
    name: "a lock's file is there while its owner is, and gone after an orderly end",
    async run(harness) {
      const { store, opened } = await openWithLock(harness);
      const { journal, locks } = opened.value;
      expectSame((await locks.seize(first)).kind, "alive", "an owner of this very process");
      await expectAnswer(journal, releaseOwnerRequest(1), "done");
      await opened.release();
      await opened.release();
      expectSame(readdirSync(store.paths.owners), [], "files");
      await journal.close();
    },
  },
  {
    name: "a lock that is let go while its row is live stays behind as proof",
    async run(harness) {
      const { store, opened } = await openWithLock(harness);
      await expectAnswer(opened.value.journal, beginRequest(1), "prepared");
      await opened.release();
      expectSame(readdirSync(store.paths.owners), [`${first}.lock`], "files");
      await opened.value.journal.close();
      await recoverAsSecond(store);
      expectThat(!existsSync(lockPath(store.paths, first)), "a recovered owner's file is removed");
    },
  },
  {
    name: "looking for an owner whose file is gone makes no file, and decides nothing",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const { journal, locks } = await expectOpen(store.open());
      for (const nonce of [first, second, "../../etc/passwd", ""]) {
        expectSame((await locks.seize(nonce)).kind, "undecided", `the owner ${nonce}`);
      }
      expectSame(readdirSync(store.paths.owners), [], "files");
      symlinkSync("/etc/passwd", lockPath(store.paths, first));
      expectSame((await locks.seize(first)).kind, "undecided", "a link in place of a lock");
      await journal.close();
    },
  },
  {
    name: "two who look for one dead owner do not both find it dead",
    async run(harness) {
      const { store, opened } = await openWithLock(harness);
      await opened.release();
      await opened.value.journal.close();
      const { journal, locks } = await expectOpen(store.open());
      const seized = await locks.seize(first);
      expectSame(seized.kind, "dead", "the first look");
      expectSame((await locks.seize(first)).kind, "alive", "the second look");
      if (seized.kind === "dead") await seized.release();
      expectSame((await locks.seize(first)).kind, "dead", "a look after the first let go");
      await journal.close();
    },
  },
  {
    name: "opening a store removes the lock files of ended owners, and no others",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const { owners } = store.paths;
      // The first has a live row and no process; the third never wrote one; the note is no lock.
      for (const name of [`${first}.lock`, `${fixtureNonce(3)}.lock`, "note"]) {
        writeFileSync(`${owners}/${name}`, "", { mode: 0o600 });
      }
      const { journal, locks } = await expectOpen(store.open());
      expectSame(readdirSync(owners).toSorted(), [`${first}.lock`, "note"], "files");
      expectSame((await locks.seize(first)).kind, "dead", "the first owner");
      await journal.close();
    },
  },
  {
    name: "an owner whose new lock file was tidied away under it makes another",
    async run(harness) {
      const store = nameStore(harness);
      const { journal, locks } = await expectOpen(store.open());
      await register(journal);
      const path = lockPath(store.paths, second);
      // Somebody holds the new file for an instant, as one who tidies up does, and removes it.
      const tidier = harness.driver.open(path, "create");
      tidier.exec("BEGIN EXCLUSIVE");
      const holding = locks.hold(second);
      rmSync(path);
      tidier.close();
      const held = await holding;
      expectThat(held.ok && existsSync(path), "the owner holds a file that is there");
      expectSame((await locks.seize(second)).kind, "alive", "the owner");
      await expectAnswer(journal, openOwnerRequest(2), "done");
      await journal.close();
    },
  },
];

async function openWithLock(harness: Parameters<StoreCase["run"]>[0]): Promise<{
  readonly store: ClosedStore;
  readonly opened: { readonly value: SqliteJournal; release(): Promise<void> };
}> {
  const store = nameStore(harness);
  const value = await expectOpen(store.open());
  const held = await value.locks.hold(first);
  expectThat(held.ok, "a new owner's lock is free");
  await register(value.journal);
  return { store, opened: { value, release: () => held.value.release() } };
}

async function recoverAsSecond(store: ClosedStore): Promise<void> {
  const { journal, locks } = await expectOpen(store.open());
  const held = await locks.hold(second);
  expectThat(held.ok, "a new owner's lock is free");
  await expectAnswer(journal, openOwnerRequest(2), "done");
  const seized = await locks.seize(first);
  expectThat(seized.kind === "dead", "the first owner is dead");
  await expectAnswer(journal, recoverRequest(1, 2), "recovered");
  await seized.release();
  await journal.close();
  await held.value.release();
}
