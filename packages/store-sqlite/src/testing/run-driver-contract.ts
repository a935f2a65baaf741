import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseDriver } from "../driver/choose-driver.js";
import { sqlDriverContract } from "./sql-driver-contract.js";

// Runs the suite on this Node's own SQLite and prints the names that held: for a Node other than
// the one that the tests run on.
const driver = chooseDriver("node:sqlite");
if (!driver.ok) throw new Error(driver.failure.message);
for (const promise of sqlDriverContract) {
  const directory = mkdtempSync(join(tmpdir(), "connectors-driver-"));
  try {
    await promise.run({ driver: driver.value, directory });
    console.log(promise.name);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
