import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalContract } from "@connectors/runtime/testing";
import type { ContractCase } from "@connectors/sdk/testing";
import type { SqlDriver } from "../driver/sql-driver.js";
import { sqlDriverContract } from "./sql-driver-contract.js";
import { makeSqliteHarness } from "./sqlite-harness.js";
import { sqliteStoreContract } from "./sqlite-store-contract.js";

/** One promise, ready to be checked on a driver. */
export interface BoundCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Every contract of this package on this driver: its own, the journal's and the store's. */
export function bindContracts(driver: SqlDriver): readonly BoundCase[] {
  return [
    ...sqlDriverContract.map((promise) => bind(promise, (directory) => ({ driver, directory }))),
    ...sqliteStoreContract.map((promise) => bind(promise, (directory) => ({ driver, directory }))),
    ...journalContract.map((promise): BoundCase => {
      return {
        name: promise.name,
        run: () =>
          withDirectory(async (directory) => {
            const harness = makeSqliteHarness(driver, directory);
            try {
              await promise.run(harness);
            } finally {
              harness.end();
            }
          }),
      };
    }),
  ];
}

function bind<Harness>(
  promise: ContractCase<Harness>,
  makeHarness: (directory: string) => Harness,
): BoundCase {
  return {
    name: promise.name,
    run: () => withDirectory((directory) => promise.run(makeHarness(directory))),
  };
}

async function withDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "connectors-store-"));
  try {
    await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
