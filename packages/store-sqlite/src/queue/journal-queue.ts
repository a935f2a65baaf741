import {
  journalBusyMsMax,
  journalQueueMax,
  type JournalQuery,
  type JournalRequest,
  type JournalView,
} from "@connectors/domain";
import type { JournalFailure } from "@connectors/runtime";
import { failWith, invariant, type Ambient, type Outcome } from "@connectors/sdk";
import type { ReadResult, TransactionResult } from "../ledger/ledger.js";
import type { LedgerThread } from "../thread/ledger-thread.js";
import { makeBackoff, type Backoff } from "./backoff.js";
import {
  closed,
  deadlinePassed,
  heldTooLong,
  lostThread,
  noThread,
  queueFull,
} from "./queue-failures.js";
import {
  makeWaitingLine,
  type Waiting,
  type WaitingRead,
  type WaitingTransaction,
} from "./waiting-line.js";

/** Hands requests to the ledger's thread in groups, and waits for other processes' writes. */
export interface JournalQueue {
  transact(request: JournalRequest, deadlineMs: number): Promise<TransactionResult>;
  query(query: JournalQuery): Promise<Outcome<JournalView>>;
  /** Answers what waits, then closes the ledger. Idempotent. */
  close(): Promise<void>;
}

export interface JournalQueueOptions {
  readonly thread: LedgerThread;
  readonly ambient: Ambient;
  /**
   * Runs something once what is going on has come to rest: what many callers ask in the meantime
   * becomes one group, and one flush.
   */
  readonly defer: (run: () => void) => void;
}

/** The longest that a timer of Node waits; past it, it would not wait at all. */
const timerMsMax = 2 ** 31 - 1;

/** A queue in front of an open ledger's thread, which it owns. */
export function makeJournalQueue(options: JournalQueueOptions): JournalQueue {
  return new Queue(options);
}

class Queue implements JournalQueue {
  readonly #thread: LedgerThread;
  readonly #ambient: Ambient;
  readonly #defer: (run: () => void) => void;
  readonly #line = makeWaitingLine();
  readonly #backoff: Backoff;
  #step: "idle" | "scheduled" | "running" = "idle";
  /** Another process writes: transactions wait for the backoff, reads go on. */
  #held = false;
  #lost = false;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;
  #alarm: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor({ thread, ambient, defer }: JournalQueueOptions) {
    this.#thread = thread;
    this.#ambient = ambient;
    this.#defer = defer;
    this.#backoff = makeBackoff(ambient);
  }

  async transact(request: JournalRequest, deadlineMs: number): Promise<TransactionResult> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return failWith(refusal);
    if (!(deadlineMs > 0)) return failWith(deadlinePassed);
    const dueMs = this.#ambient.clock.monotonicMs() + deadlineMs;
    return new Promise((settle) => {
      const text = JSON.stringify(request);
      this.#push({ kind: "transaction", request: text, dueMs, busySinceMs: undefined, settle });
    });
  }

  async query(query: JournalQuery): Promise<Outcome<JournalView>> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return failWith(refusal.failure);
    return new Promise((settle) => {
      this.#push({ kind: "read", query, busySinceMs: undefined, settle });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#step !== "idle" || this.#line.length > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    await this.#thread.close();
  }

  #refusal(): JournalFailure | undefined {
    if (this.#closing !== undefined) return closed;
    if (this.#lost) return noThread;
    return this.#line.length >= journalQueueMax ? queueFull : undefined;
  }

  #push(entry: Waiting): void {
    this.#line.push(entry);
    this.#schedule();
    const waits = this.#step === "running" || this.#held;
    if (waits && entry.kind === "transaction") this.#watchUntil(entry.dueMs);
  }

  #schedule(): void {
    if (this.#step !== "idle") return;
    if (this.#line.length === 0) this.#drained?.();
    if (this.#held ? !this.#line.hasReads : this.#line.length === 0) return;
    this.#step = "scheduled";
    this.#defer(() => void this.#pump());
  }

  async #pump(): Promise<void> {
    this.#dropExpired();
    const batch = this.#held ? this.#line.takeReads() : this.#line.takeBatch();
    if (batch.length > 0) await this.#run(batch);
    this.#step = "idle";
    this.#schedule();
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#step = "running";
    const transactions = batch.filter(isTransaction);
    const reads = batch.filter(isRead);
    const running = this.#thread.run({
      requests: transactions.map((entry) => entry.request),
      queries: reads.map((entry) => entry.query),
    });
    this.#watchLine();
    const result = await running;
    if (result === "lost") {
      this.#lost = true;
      for (const entry of batch) refuseEntry(entry, lostThread);
      for (const entry of this.#line.takeWhere(() => true)) refuseEntry(entry, noThread);
      return;
    }
    const again: Waiting[] = settleReads(reads, result.reads);
    if (result.group.kind === "busy") {
      again.unshift(...transactions);
    } else {
      if (transactions.length > 0) this.#backoff.reset();
      settleTransactions(transactions, result.group.results);
    }
    if (again.length > 0) this.#keepWaiting(again);
  }

  #keepWaiting(entries: readonly Waiting[]): void {
    const nowMs = this.#ambient.clock.monotonicMs();
    for (const entry of entries) entry.busySinceMs ??= nowMs;
    this.#line.putBack(entries);
    this.#dropExpired();
    this.#hold();
    this.#watchLine();
  }

  /** Reads that met a log under recovery wait with the transactions: it is over in a moment. */
  #hold(): void {
    if (this.#held) return;
    this.#held = true;
    this.#backoff.wait(() => {
      this.#held = false;
      this.#schedule();
    });
  }

  #dropExpired(): void {
    const nowMs = this.#ambient.clock.monotonicMs();
    for (const entry of this.#line.takeWhere(isLate(nowMs))) refuseEntry(entry, deadlinePassed);
    for (const entry of this.#line.takeWhere(isHeld(nowMs))) refuseEntry(entry, heldTooLong);
  }

  /** Wakes up for the first deadline in the line; for none when nothing waits. */
  #watchLine(): void {
    const dueMs = this.#line.earliestDueMs();
    if (dueMs !== undefined) {
      this.#watchUntil(dueMs);
      return;
    }
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  /** Nobody waits past his deadline for a slow disk or another process. */
  #watchUntil(dueMs: number): void {
    if (this.#alarm !== undefined && this.#alarm.dueMs <= dueMs) return;
    this.#alarm?.cancel();
    const leftMs = dueMs - this.#ambient.clock.monotonicMs();
    const delayMs = Math.min(Math.max(0, leftMs), timerMsMax);
    const cancel = this.#ambient.timers.after(delayMs, () => {
      this.#alarm = undefined;
      this.#dropExpired();
      this.#watchLine();
      this.#schedule();
    });
    this.#alarm = { dueMs, cancel };
  }
}

function settleTransactions(
  entries: readonly WaitingTransaction[],
  results: readonly TransactionResult[],
): void {
  for (const [at, entry] of entries.entries()) {
    const result = results[at];
    invariant(result !== undefined, "every transaction has its result");
    entry.settle(result);
  }
}

/** Settles the reads that were answered; the others are returned. */
function settleReads(entries: readonly WaitingRead[], results: readonly ReadResult[]): Waiting[] {
  return entries.filter((entry, at) => {
    const result = results[at];
    invariant(result !== undefined, "every read has its result");
    if (result.kind === "busy") return true;
    entry.settle(result.view);
    return false;
  });
}

function isTransaction(entry: Waiting): entry is WaitingTransaction {
  return entry.kind === "transaction";
}

function isRead(entry: Waiting): entry is WaitingRead {
  return entry.kind === "read";
}

function isLate(nowMs: number): (entry: Waiting) => boolean {
  return (entry) => entry.kind === "transaction" && entry.dueMs <= nowMs;
}

function isHeld(nowMs: number): (entry: Waiting) => boolean {
  return ({ busySinceMs }) => busySinceMs !== undefined && nowMs - busySinceMs >= journalBusyMsMax;
}

function refuseEntry(entry: Waiting, failure: JournalFailure): void {
  if (entry.kind === "transaction") entry.settle(failWith(failure));
  else entry.settle(failWith(failure.failure));
}
