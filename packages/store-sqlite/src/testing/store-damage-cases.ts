import { closeSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import {
  anchorRequest,
  beginRequest,
  fixtureKey,
  gateRequest,
  makeFixtureOutcome,
  settleRequest,
} from "@connectors/runtime/testing";
import { checkSqliteStore } from "../check-sqlite-store.js";
import { migrations } from "../schema/migrations.js";
import { expectFault, expectSame, expectThat } from "./expect.js";
import {
  caseDeadlineMs,
  expectAnswer,
  expectOpen,
  expectRefused,
  knowsOwner,
  makeClosedStore,
  readEnd,
  type StoreCase,
} from "./store-scene.js";

const keyed = { of: { key_namespace: fixtureKey("a") } };

/** What is damaged, foreign or newer is told apart from what is absent. */
export const storeDamageCases: readonly StoreCase[] = [
  {
    name: "a newer format is refused and left as it is",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const newer = migrations.length + 1;
      store.tamper((connection) => connection.exec(`PRAGMA user_version = ${newer}`));
      const failure = await expectRefused(store.open(), "a newer format");
      expectThat(failure.message.includes(`${newer}`), "the format is named");
      store.tamper((connection) => {
        const row = connection.prepare("PRAGMA user_version").get();
        expectSame(row?.["user_version"], newer, "the format");
        connection.exec(`PRAGMA user_version = ${migrations.length}`);
      });
      const { journal } = await expectOpen(store.open());
      expectThat(await knowsOwner(journal), "nothing was lost");
      await journal.close();
    },
  },
  {
    name: "another program's database, and a ledger made by other steps, are refused",
    async run(harness) {
      const store = await makeClosedStore(harness);
      store.tamper((connection) => connection.exec("UPDATE migrations SET sha256 = 'other'"));
      await expectRefused(store.open(), "other steps");
      store.tamper((connection) => connection.exec("DROP TABLE migrations"));
      await expectRefused(store.open(), "steps that are gone");
      store.tamper((connection) => connection.exec("PRAGMA application_id = 1"));
      await expectRefused(store.open(), "another program's file");
      store.tamper((connection) => connection.exec("PRAGMA user_version = 0"));
      await expectRefused(store.open(), "a file that counts no steps");
    },
  },
  {
    name: "a file that is damaged or cut short is unavailable, never empty",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const { ledger } = store.paths;
      const { size } = statSync(ledger);
      truncateSync(ledger, size - 4096);
      await expectUnreadable(store.open(), "a file that lost its last page");
      truncateSync(ledger, 100);
      await expectRefused(store.open(), "a file that is a header");
      writeFileSync(ledger, Buffer.alloc(size, 0x5a));
      await expectRefused(store.open(), "a file of other bytes");
    },
  },
  {
    name: "a page of other bytes is unavailable, never an absent row",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const { ledger } = store.paths;
      // Every page but the first, which holds the schema.
      const file = openSync(ledger, "r+");
      writeSync(file, Buffer.alloc(statSync(ledger).size - 4096, 0x5a), 0, null, 4096);
      closeSync(file);
      await expectUnreadable(store.open(), "pages of other bytes");
    },
  },
  {
    name: "a row that does not fit its model is no absent row, and costs no other request",
    async run(harness) {
      for (const [n, damage] of [
        "UPDATE attempts SET body = '{}'",
        "UPDATE attempts SET body = 'no JSON'",
        "UPDATE reservations SET body = replace(body, 'Pending', 'Replayable')",
        "UPDATE attempts SET state = 'Completed'",
        "PRAGMA foreign_keys = OFF; UPDATE reservations SET attempt = 'nobody'",
      ].entries()) {
        const store = await makeClosedStore(harness, `state-${n}`);
        const first = await expectOpen(store.open());
        await expectAnswer(first.journal, beginRequest(1, keyed), "prepared");
        await first.journal.close();
        store.tamper((connection) => connection.exec(damage));
        const { journal } = await expectOpen(store.open());
        const [broken, whole] = await Promise.all([
          readEnd(journal, beginRequest(2, keyed)),
          readEnd(journal, anchorRequest(1)),
        ]);
        expectThat(broken.endsWith(" unavailable"), `${damage}: a begin under the key, ${broken}`);
        expectSame(whole, "done", `${damage}: its neighbour`);
        await journal.close();
      }
    },
  },
  {
    name: "a check of the file names what is wrong with it, and nothing when all is well",
    async run(harness) {
      const check = async (path: string): Promise<readonly string[]> => {
        const checked = await checkSqliteStore({ directory: path, driver: harness.driver.name });
        expectThat(checked.ok, "the file is read");
        return checked.value;
      };
      const store = await makeClosedStore(harness);
      const { journal } = await expectOpen(store.open());
      await expectAnswer(journal, beginRequest(1, keyed), "prepared");
      expectSame(await check(store.paths.directory), [], "a whole store, in use");
      await journal.close();
      store.tamper((connection) => {
        connection.exec(`PRAGMA foreign_keys = OFF;
          DROP TRIGGER audit_is_not_deleted; DELETE FROM audit WHERE sequence = 2;
          DROP TRIGGER attempts_are_not_deleted; DELETE FROM attempts`);
      });
      const problems = await check(store.paths.directory);
      for (const word of ["reservations", "spends", "no gap", "counts the records", "attempts"]) {
        expectThat(
          problems.some((problem) => problem.includes(word)),
          `${word} is among ${problems.join("; ")}`,
        );
      }
    },
  },
  {
    name: "audit, spends, evidence and settled attempts cannot be changed by any statement",
    async run(harness) {
      const store = await makeClosedStore(harness);
      const { journal } = await expectOpen(store.open());
      await expectAnswer(journal, beginRequest(1, keyed), "prepared");
      await expectAnswer(journal, gateRequest(1), "opened");
      await expectAnswer(journal, settleRequest(1, makeFixtureOutcome("applied")), "settled");
      await journal.close();
      store.tamper((connection) => {
        for (const sql of [
          "UPDATE audit SET sha256 = ''",
          "DELETE FROM audit",
          "UPDATE spends SET issuer = 'eve'",
          "DELETE FROM spends",
          "DELETE FROM attempts",
          "UPDATE attempts SET state = 'Prepared', settled = 0",
          "DELETE FROM policies",
          "UPDATE policies SET body = ''",
          "INSERT INTO spends SELECT 'eve', reference, attempt, body FROM spends",
          "INSERT INTO attempts VALUES (1, 'x', 'x', 2, 'x', 0, '')",
        ]) {
          expectFault(() => connection.exec(sql), "constraint", sql);
        }
      });
    },
  },
];

/** The open is refused, or opens and answers no read of what it cannot read. */
async function expectUnreadable(
  opening: ReturnType<Awaited<ReturnType<typeof makeClosedStore>>["open"]>,
  what: string,
): Promise<void> {
  const opened = await opening;
  if (!opened.ok) {
    expectSame(opened.failure.code, "unavailable", what);
    return;
  }
  const { journal } = opened.value;
  const owners = await journal.query({ kind: "owners", state: null });
  const attempt = await journal.transact(beginRequest(1), { deadlineMs: caseDeadlineMs });
  const read = owners.ok ? "answered" : owners.failure.code;
  const written = attempt.ok ? attempt.value.kind : attempt.failure.certainty;
  expectThat(read === "unavailable" || written === "ambiguous", `${what}: ${read}, ${written}`);
  await journal.close();
}
