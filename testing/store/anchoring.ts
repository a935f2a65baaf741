import { writeSync } from "node:fs";
import { parseOwner } from "@connectors/domain";
import { makeUuidV7, type Journal } from "@connectors/runtime";
import { anchorRequest, fixtureTime, makeFixtureDraft } from "@connectors/runtime/testing";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { openSqliteJournal, type SqlDriverName } from "@connectors/store-sqlite";

/** What one process that appends records is told. */
export interface AnchoringPlan {
  readonly directory: string;
  readonly thread: "worker" | "caller";
  readonly workerUrl: string;
  readonly driver: SqlDriverName | null;
  /** How many records it appends, `lanes` at once; it ends at the first that was not written. */
  readonly records: number;
  readonly lanes: number;
}

/** One line of it: a record that was acknowledged, or why no more were. */
export type AnchoringLine =
  | { readonly kind: "record"; readonly sequence: number; readonly sha256: string }
  | { readonly kind: "failed"; readonly certainty: string; readonly code: string }
  | { readonly kind: "poisoned"; readonly poisoned: boolean; readonly records: number };

const deadlineMs = 60_000;
const plan = JSON.parse(process.argv[2] ?? "") as AnchoringPlan;
const { clock, random } = makeSystemAmbient();

function tell(line: AnchoringLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const opened = await openSqliteJournal({
  directory: plan.directory,
  thread: plan.thread,
  workerUrl: new URL(plan.workerUrl),
  ...(plan.driver === null ? {} : { driver: plan.driver }),
});
if (opened.ok) {
  const { journal, locks } = opened.value;
  await appendAll(journal, locks);
  await tellHealth(journal);
  await journal.close();
} else {
  tell({ kind: "failed", certainty: "unopened", code: opened.failure.code });
}

async function appendAll(
  journal: Journal,
  locks: { hold(nonce: string): Promise<unknown> },
): Promise<void> {
  const owner = parseOwner({
    nonce: makeUuidV7(clock, random)(),
    state: "live",
    pid: process.pid,
    // One moment for all of them: a process that is held up is not to look like a clock set back.
    opened_at_ms: fixtureTime(),
    closed_at_ms: null,
  });
  if (!owner.ok) throw new Error("an owner fits its model");
  const { nonce } = owner.value;
  await locks.hold(nonce);
  const draft = makeFixtureDraft("owner", nonce);
  await append(journal, { kind: "open_owner", owner: owner.value, draft });
  let left = plan.records;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const anchor = anchorRequest(1);
      const request = { ...anchor, draft: { ...anchor.draft, owner: nonce } };
      if (!(await append(journal, request))) return;
    }
  };
  await Promise.all(Array.from({ length: plan.lanes }, lane));
}

async function append(
  journal: Journal,
  request: Parameters<Journal["transact"]>[0],
): Promise<boolean> {
  const outcome = await journal.transact(request, { deadlineMs });
  if (outcome.ok && outcome.value.kind === "done") {
    tell({ kind: "record", ...outcome.value.audit });
    return true;
  }
  if (outcome.ok) throw new Error(`answered ${outcome.value.kind}`);
  const { certainty, failure } = outcome.failure;
  tell({ kind: "failed", certainty, code: failure.code });
  return false;
}

async function tellHealth(journal: Journal): Promise<void> {
  const view = await journal.query({ kind: "health" });
  if (!view.ok) throw new Error("a read is answered");
  const { poisoned, audit_records: records } = view.value.health;
  tell({ kind: "poisoned", poisoned, records });
}
