import { readFileSync } from "node:fs";
import { parseName, type Name } from "@connectors/domain";
import type { Approver, Outcome } from "@connectors/sdk";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { expect, test } from "vitest";
import { trusted } from "./identity/trusted.js";
import {
  makeKeyApprover,
  makeMemoryLedger,
  openHost,
  openMemoryJournal,
  type AdapterRegistration,
} from "./index.js";
import { rigKey, rigPolicy } from "./testing/host-rig.js";
import { makeScriptedProvider, scriptedDeclarations } from "./testing/index.js";

const ambient = makeManualAmbient();
const { signal } = new AbortController();
const audience = "connectors.host/0c0ffee0-0000-4000-8000-000000000001";

// README
function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

async function changeOnce(registration: AdapterRegistration, approver: Approver): Promise<string> {
  const { journal, locks } = openMemoryJournal({ ledger: makeMemoryLedger() });
  const host = must(
    await openHost({
      journal, // or openSqliteJournal of @connectors/store-sqlite
      locks,
      adapters: [registration],
      ambient, // clock, timers, randomness
      audience, // this host's id: for whom proofs are signed
      caller: "os:ada", // who asks
      separationOf: () => Promise.resolve("none"), // the approver's key lies here too
      pid: 4711,
    }),
  );
  must(await host.policy.set(policy));
  must(await host.approvers.add(ada));

  const frozen = must(
    await host.freezeWrite({
      adapter: "prod",
      operation: "thing.change",
      input: { namespace: "web", name: "api", to: "blue" },
      key: "change-of-monday", // the same key again is never a second effect
    }),
  );
  let answer = await frozen.observe(); // a key that is known answers here
  if (answer === null) {
    const proof = must(await approver.approve({ file: frozen.preparedBytes }, { signal }));
    answer = await frozen.commit({ proof, signal });
  }
  await host.close();
  return `${answer.classification}: attempt ${answer.attempt?.id ?? "none"}`;
}
// end

const policy = rigPolicy();
const ada = { name: "ada", publicKey: rigKey.publicKey, operations: ["*"], adapters: ["prod"] };

function exampleText(): string {
  const source = readFileSync(new URL(import.meta.url), "utf8");
  return /\n\/\/ README\n(.*?)\n\/\/ end\n/s.exec(source)?.[1] ?? "";
}

function makeApprover(name: Name): Approver {
  return makeKeyApprover({
    key: { ...rigKey, approver: name },
    view: { declarations: scriptedDeclarations, clusters: [] },
    ambient,
    acceptUnknownCluster: true,
    confirm: (lines) => Promise.resolve(lines.some((line) => line.includes('"blue"'))),
  });
}

test("the example of the README is this one, and runs", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(exampleText()).not.toBe("");
  expect(readme).toContain(exampleText());
  const provider = makeScriptedProvider();
  const approver = makeApprover(trusted(parseName("ada"), "a name"));
  const told = await changeOnce(provider.registration, approver);
  expect(told).toMatch(/^applied: attempt [0-9a-f-]{36}$/);
  expect(provider.seen.dispatches).toHaveLength(1);
});
