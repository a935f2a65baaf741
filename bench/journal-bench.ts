import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  parseAttemptId,
  parseProofReference,
  type JournalAnswer,
  type JournalRequest,
  type Parsed,
} from "@connectors/domain";
import type { Journal } from "@connectors/runtime";
import { openSqliteJournal } from "@connectors/store-sqlite";
import {
  fixtureNonce,
  makeFixtureApprover,
  makeFixtureOutcome,
  makeFixturePolicy,
} from "../packages/runtime/src/testing/journal-fixtures.js";
import {
  anchorRequest,
  beginRequest,
  gateRequest,
  openOwnerRequest,
  putApproverRequest,
  putPolicyRequest,
  settleRequest,
} from "../packages/runtime/src/testing/journal-requests.js";
import { describeSpread, spreadOf, type Line } from "./figures.js";

const windows = 9;
const windowMs = 1000;
const together = 64;
const options = { deadlineMs: 5000 };

async function must(
  journal: Journal,
  request: JournalRequest,
  want: JournalAnswer["kind"],
): Promise<void> {
  const answer = await journal.transact(request, options);
  if (!answer.ok) throw new Error(`${request.kind}: ${answer.failure.failure.message}`);
  if (answer.value.kind !== want) throw new Error(`${request.kind} answered ${answer.value.kind}`);
}

// Made once: a fixture is validated whole when it is made, which is the bench's time and not the
// journal's.
const one = {
  anchor: anchorRequest(1),
  begin: beginRequest(1, { of: { key_namespace: null } }),
  gate: gateRequest(1),
  settle: settleRequest(1, makeFixtureOutcome("applied")),
};

/** One complete write path: anchor, begin, gate, settle; four commits. */
async function writePath(journal: Journal, n: number): Promise<void> {
  const hex = n.toString(16);
  const attempt = trust(parseAttemptId(`01900000-0000-7000-8000-${hex.padStart(12, "0")}`));
  const reference = trust(parseProofReference(hex.padStart(43, "0")));
  const { anchor, begin, gate, settle } = one;
  const proof = begin.proof === null ? null : { ...begin.proof, reference };
  await must(journal, anchor, "done");
  await must(journal, { ...begin, attempt: { ...begin.attempt, id: attempt }, proof }, "prepared");
  await must(journal, { ...gate, attempt, proof }, "opened");
  await must(journal, { ...settle, attempt }, "settled");
}

function trust<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error("an id of the bench fits its model");
  return parsed.value;
}

/** How many syncs of one appended page this disk takes in a second. */
function syncRate(file: number): number {
  const page = Buffer.alloc(4096, 7);
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < windowMs) {
    writeSync(file, page);
    fdatasyncSync(file);
    count += 1;
  }
  return (count * 1000) / (performance.now() - began);
}

/** Write paths a second, `lanes` of them at once, each lane one after another. */
async function pathRate(journal: Journal, lanes: number, next: () => number): Promise<number> {
  const began = performance.now();
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - began < windowMs) {
      await writePath(journal, next());
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (count * 1000) / (performance.now() - began);
}

/** The journal alone beside the rate of its own disk's syncs, in alternating windows. */
export async function benchJournal(): Promise<readonly Line[]> {
  const directory = mkdtempSync(join(tmpdir(), "connectors-bench-"));
  const opened = await openSqliteJournal({ directory });
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal, locks } = opened.value;
  const lock = await locks.hold(fixtureNonce(1));
  if (!lock.ok) throw new Error(lock.failure.message);
  await must(journal, openOwnerRequest(1), "done");
  await must(journal, putPolicyRequest(makeFixturePolicy(1)), "done");
  await must(journal, putApproverRequest(makeFixtureApprover()), "done");
  const file = openSync(join(directory, "syncs"), "w");
  let n = 0;
  const next = (): number => (n += 1);
  const rates = { sync: [] as number[], alone: [] as number[], together: [] as number[] };
  const ratios: number[] = [];
  try {
    for (let round = 0; round < windows; round += 1) {
      const before = syncRate(file);
      const alone = await pathRate(journal, 1, next);
      const after = syncRate(file);
      rates.sync.push(before, after);
      rates.alone.push(alone);
      ratios.push(alone / ((before + after) / 2 / 4));
      rates.together.push(await pathRate(journal, together, next));
    }
  } finally {
    closeSync(file);
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  }
  const [sync, alone, many] = [rates.sync, rates.alone, rates.together].map(spreadOf);
  if (sync === undefined || alone === undefined || many === undefined)
    throw new Error("no figures");
  return [
    {
      name: "write paths one at a time, against a quarter of the disk's sync rate",
      ratio: spreadOf(ratios).median,
      bound: 0.8,
      sense: "at least",
      detail: `${n} write paths in all; syncs ${describeSpread(sync, "/s")}; paths ${describeSpread(alone, "/s")}`,
    },
    {
      name: `write paths with ${together} at once, against one at a time`,
      ratio: many.median / alone.median,
      bound: 10,
      sense: "at least",
      detail: `paths ${describeSpread(many, "/s")}`,
    },
  ];
}
