import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalContract } from "@connectors/runtime/testing";
import { describe, test } from "vitest";
import { chooseDriver } from "./driver/choose-driver.js";
import type { SqlDriverName } from "./driver/sql-driver.js";
import { makeSqliteHarness } from "./testing/sqlite-harness.js";

const names: readonly SqlDriverName[] = ["node:sqlite", "better-sqlite3"];

for (const name of names) {
  const driver = chooseDriver(name);
  describe.skipIf(!driver.ok)(`the ledger on ${name}`, () => {
    for (const promise of journalContract) {
      test(promise.name, async () => {
        if (!driver.ok) return;
        const directory = mkdtempSync(join(tmpdir(), "connectors-journal-"));
        const harness = makeSqliteHarness(driver.value, directory);
        try {
          await promise.run(harness);
        } finally {
          harness.end();
          rmSync(directory, { recursive: true, force: true });
        }
      });
    }
  });
}
