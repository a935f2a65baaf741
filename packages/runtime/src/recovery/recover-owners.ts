import type { AttemptId, AuditDraft, Owner } from "@connectors/domain";
import { fail, succeed, type Clock, type Failure, type Outcome } from "@connectors/sdk";
import type { Journal, OwnerLocks } from "../journal/journal.js";
import { toTimeMs } from "../journal/measure.js";

/** What recovery works with. It has no connection and no adapter: it could not send if it tried. */
export interface RecoveryOptions {
  readonly journal: Journal;
  readonly locks: OwnerLocks;
  readonly clock: Clock;
  /** This process, which is registered and alive. */
  readonly self: string;
  /** How long each write waits for other processes' writes. */
  readonly deadlineMs: number;
}

/** What became of each owner that was not this process. */
export interface RecoveryReport {
  /** Proved dead; everything that they had open is closed. */
  readonly recovered: readonly {
    readonly owner: string;
    readonly attempts: readonly AttemptId[];
  }[];
  /** Their processes hold their locks. */
  readonly alive: readonly string[];
  /** Nothing proves that they are dead: their attempts stay open until a person decides. */
  readonly undecided: readonly string[];
  /** Proved dead, and their recovery could not be written now. */
  readonly failed: readonly { readonly owner: string; readonly failure: Failure }[];
}

/**
 * Closes what dead processes left open: never sent is Aborted, maybe sent is Indeterminate.
 *
 * A process is dead when its lock could be taken, and for no other reason: not because it is old,
 * silent or gone from a process list. Run it once before a store is used, and every few seconds in
 * a host that lives long.
 */
export async function recoverOwners(options: RecoveryOptions): Promise<Outcome<RecoveryReport>> {
  const live = await options.journal.query({ kind: "owners", state: "live" });
  if (!live.ok) return live;
  const report = makeReport();
  for (const owner of live.value.owners) {
    if (owner.nonce !== options.self) await recoverOwner(options, owner, report);
  }
  if (report.undecided.length === 0) return succeed(report);
  // An owner that ended in order since the first look has taken its lock with it.
  const still = await options.journal.query({ kind: "owners", state: "live" });
  if (!still.ok) return still;
  const nonces = new Set(still.value.owners.map((owner) => owner.nonce));
  return succeed({ ...report, undecided: report.undecided.filter((nonce) => nonces.has(nonce)) });
}

/**
 * {@link recoverOwners} for one owner, whose attempt somebody waits for: nothing happens unless it
 * is proved dead, and what could not be written now is left for the next look.
 */
export async function recoverOneOwner(options: RecoveryOptions, nonce: string): Promise<void> {
  if (nonce !== options.self) await recoverOwner(options, { nonce }, makeReport());
}

type OpenReport = { -readonly [Part in keyof RecoveryReport]: RecoveryReport[Part][number][] };

function makeReport(): OpenReport {
  return { recovered: [], alive: [], undecided: [], failed: [] };
}

async function recoverOwner(
  options: RecoveryOptions,
  owner: Pick<Owner, "nonce">,
  report: OpenReport,
): Promise<void> {
  const seized = await options.locks.seize(owner.nonce);
  if (seized.kind !== "dead") {
    report[seized.kind].push(owner.nonce);
    return;
  }
  const closed = await closeAttempts(options, owner);
  // Let go in any case: while its row is live the lock stays, and the next recovery finds it.
  await seized.release();
  if (closed.ok) report.recovered.push({ owner: owner.nonce, attempts: closed.value });
  else report.failed.push({ owner: owner.nonce, failure: closed.failure });
}

async function closeAttempts(
  options: RecoveryOptions,
  owner: Pick<Owner, "nonce">,
): Promise<Outcome<readonly AttemptId[]>> {
  const nowMs = toTimeMs(options.clock.nowMs());
  const outcome = await options.journal.transact(
    {
      kind: "recover",
      dead: owner.nonce,
      by: options.self,
      now_ms: nowMs,
      draft: { ...emptyDraft, owner: options.self, at_ms: nowMs },
    },
    { deadlineMs: options.deadlineMs },
  );
  if (!outcome.ok) return { ok: false, failure: outcome.failure.failure };
  const answer = outcome.value;
  if (answer.kind === "recovered") return succeed(answer.attempts);
  return fail(answer.code, "The ledger refused to recover a dead process.");
}

const emptyDraft: Omit<AuditDraft, "owner" | "at_ms"> = {
  kind: "recovery",
  caller: null,
  instance: null,
  operation: null,
  attempt: null,
  anchor: null,
  subject_sha256: null,
  approver: null,
  kid: null,
  reference: null,
  policy_revision: null,
  classification: null,
  code: null,
  stage: null,
  reason: null,
  count: null,
  http_status: null,
  resource_version: null,
  detail_sha256: null,
};
