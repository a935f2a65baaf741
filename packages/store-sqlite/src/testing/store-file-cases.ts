import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fixtureNonce } from "@connectors/runtime/testing";
import { lockPath } from "../files/store-paths.js";
import { expectSame, expectThat } from "./expect.js";
import {
  expectOpen,
  expectRefused,
  knowsOwner,
  makeClosedStore,
  makePrivate,
  nameStore,
  register,
  type StoreCase,
} from "./store-scene.js";

/** Whose the files are, and what stands in their place. */
export const storeFileCases: readonly StoreCase[] = [
  {
    name: "a store is made for this user alone, whatever the umask",
    async run(harness) {
      const umask = process.umask(0);
      try {
        const store = nameStore(harness);
        const { journal, locks } = await expectOpen(store.open());
        await register(journal);
        await locks.hold(fixtureNonce(1));
        const { directory, owners, ledger, sidecars } = store.paths;
        const lock = lockPath(store.paths, fixtureNonce(1));
        expectSame([directory, owners].map(readMode), ["700", "700"], "directories");
        const files = [ledger, lock, ...sidecars.map((sidecar) => sidecar.path)];
        expectSame(files.map(readMode), ["600", "600", "600", "600"], "files");
        expectSame(process.umask(), 0, "the umask is left as it was");
        await journal.close();
      } finally {
        process.umask(umask);
      }
    },
  },
  {
    name: "a directory or a file that others can read is refused, and left as it is",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const { directory, owners, ledger } = store.paths;
      for (const [path, wide, narrow] of [
        [directory, 0o750, 0o700],
        [owners, 0o701, 0o700],
        [ledger, 0o640, 0o600],
      ] as const) {
        chmodSync(path, wide);
        await expectRefused(store.open(), `mode ${wide.toString(8)}`);
        expectSame(readMode(path), wide.toString(8), "a mode");
        chmodSync(path, narrow);
      }
      const { journal } = await expectOpen(store.open());
      expectThat(await knowsOwner(journal), "a store that was made private again");
      await journal.close();
    },
  },
  {
    name: "a link in place of the directory, the ledger or its log is refused",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const { directory, ledger, log } = store.paths;
      const elsewhere = join(harness.directory, "elsewhere");
      for (const path of [ledger, directory]) {
        renameSync(path, elsewhere);
        symlinkSync(elsewhere, path);
        await expectRefused(store.open(), "a link");
        rmSync(path);
        renameSync(elsewhere, path);
      }
      symlinkSync(elsewhere, log);
      await expectRefused(store.open(), "a link in place of the log");
      rmSync(log);
      linkSync(ledger, elsewhere);
      await expectRefused(store.open(), "a second name");
    },
  },
  {
    name: "a missing, empty or emptied ledger is made only where one may be made",
    async run(harness) {
      const store = nameStore(harness);
      await expectRefused(store.open({ create: false }), "a missing ledger");
      expectThat(!existsSync(store.paths.ledger), "nothing was made");
      writeFileSync(store.paths.ledger, "", { mode: 0o600 });
      await expectRefused(store.open({ create: false }), "an empty ledger");
      const { journal } = await expectOpen(store.open());
      await journal.close();
      store.tamper((connection) => {
        // As a file that was restored without its content would look.
        connection.exec("PRAGMA journal_mode = DELETE");
      });
      truncateSync(store.paths.ledger, 0);
      await expectRefused(store.open({ create: false }), "an emptied ledger");
    },
  },
  {
    name: "a ledger that is gone while its log is there is not made anew",
    async run(harness) {
      const store = nameStore(harness);
      const { journal } = await expectOpen(store.open());
      await register(journal);
      const copy = join(harness.directory, "state");
      const log = readFileSync(store.paths.log);
      await journal.close();
      rmSync(store.paths.ledger);
      writeFileSync(join(copy, "ledger.db-wal"), log, { mode: 0o600 });
      await expectRefused(store.open(), "a log without its ledger");
      expectSame(readdirSync(copy).toSorted(), ["ledger.db-wal", "owners"], "files");
    },
  },
  {
    name: "a path that is relative, or no directory, is refused",
    async run(harness) {
      const store = nameStore(harness);
      const relative = await store.open({ directory: "state" });
      expectThat(!relative.ok && relative.failure.code === "invalid_input", "a relative path");
      makePrivate(harness.directory);
      writeFileSync(store.paths.directory, "", { mode: 0o600 });
      await expectRefused(store.open(), "a file in place of the directory");
    },
  },
];

function readMode(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}
