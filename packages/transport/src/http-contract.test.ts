import { describe, test } from "vitest";
import {
  httpCheckContract,
  httpReaderContract,
  httpStreamContract,
  httpUpgradeContract,
  httpWriteContract,
} from "@connectors/sdk/testing";
import { testCertificates } from "./testing/certificates.js";
import { makeContractHarness } from "./testing/contract-harness.js";

const { ca, server } = await testCertificates();
const harness = makeContractHarness({ ca, server });

const suites = {
  reader: httpReaderContract,
  stream: httpStreamContract,
  check: httpCheckContract,
  write: httpWriteContract,
  upgrade: httpUpgradeContract,
};

for (const [port, suite] of Object.entries(suites)) {
  describe(`the ${port} port over sockets`, () => {
    for (const promise of suite) test(promise.name, () => promise.run(harness));
  });
}
