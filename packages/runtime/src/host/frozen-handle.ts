import {
  deadlineMarginMs,
  type IdempotencyKey,
  type OperationDeclaration,
  type Sha256,
  type Subject,
  type WriteAnswer,
} from "@connectors/domain";
import { makeFailure, type Failure, type Proof } from "@connectors/sdk";
import type { CallLimits } from "../freeze/admit-write.js";
import type { Frozen } from "../freeze/frozen-write.js";
import { makeAnswer } from "../write/answer.js";
import { runWrite } from "../write/run-write.js";
import { makeStop } from "../write/stop.js";
import { startObserving, startWrite } from "../write/write-machine.js";
import type { Told, WriteState } from "../write/write-state.js";
import type { WriteRun } from "../write/write-run.js";
import type { HostScope } from "./host-scope.js";

/** How a frozen write is committed. */
export interface CommitOptions {
  /** null when nobody has approved it; then an operation that needs approval answers so. */
  readonly proof: Proof | null;
  /** Stops it before the gate. From the gate on it is acknowledged and changes nothing. */
  readonly signal: AbortSignal;
  /** Shortens the operation's own total, in milliseconds; never lengthens it. */
  readonly deadlineMs?: number;
}

/** One exact intended effect, frozen into bytes. Nothing has been asked of its provider. */
export interface FrozenWrite {
  readonly subject: Subject;
  /** What an approver signs. */
  readonly subjectSha256: Sha256;
  readonly key: IdempotencyKey | null;
  /** The prepared file: what an approver renders from. */
  readonly preparedBytes: Uint8Array;
  readonly declaration: OperationDeclaration;
  /** What this one call may take. */
  readonly limits: CallLimits;
  /**
   * The answer that its key already has, or null. Spends nothing and asks nobody; waits while
   * another process still works under the key.
   */
  observe(options?: { readonly signal?: AbortSignal }): Promise<WriteAnswer | null>;
  /**
   * One try at the effect. Never rejects for anything outside; a second call does nothing
   * (`lifecycle_conflict`), unless the first lacked the proof that it needs. It goes on to its end
   * even when nobody waits for it.
   */
  commit(options: CommitOptions): Promise<WriteAnswer>;
}

/** The handle on a frozen write of this host. */
export function makeFrozenWrite(frozen: Frozen, scope: HostScope): FrozenWrite {
  let spent = false;

  async function run(
    start: WriteState,
    totalMs: number,
    signal: AbortSignal,
    jws: string | null,
  ): Promise<{ readonly told: Told; readonly late: boolean }> {
    const stop = makeStop(scope.ambient, totalMs, signal);
    const held = { captured: null, prepared: null };
    const writeRun: WriteRun = { scope, frozen, jws, stop, held };
    const told = await runWrite(start, writeRun);
    return { told, late: stop.remainingMs() === 0 };
  }

  async function commitOnce(options: CommitOptions): Promise<WriteAnswer> {
    const keyed = frozen.namespace !== null;
    const totalMs = Math.min(frozen.limits.executionMs, options.deadlineMs ?? Infinity);
    const jws = options.proof?.jws ?? null;
    const { told, late } = await run(startWrite({ keyed }), totalMs, options.signal, jws);
    if (told.kind === "nothing") throw new Error("invariant broken: a commit ends in an answer");
    return makeAnswer(told, { frozen, late });
  }

  async function observeOnce(signal: AbortSignal): Promise<WriteAnswer | null> {
    const { told, late } = await run(startObserving(), frozen.limits.executionMs, signal, null);
    return told.kind === "nothing" ? null : makeAnswer(told, { frozen, late });
  }

  return {
    subject: frozen.subject,
    subjectSha256: frozen.subjectSha256,
    key: frozen.key,
    // A copy: what is committed is not what a caller can reach.
    preparedBytes: frozen.preparedBytes.slice(),
    declaration: frozen.operation.declaration,
    limits: frozen.limits,
    observe({ signal = new AbortController().signal } = {}) {
      return scope.work.track(observeOnce(signal));
    },
    commit(options) {
      const refusal = refuseCommit(frozen, options, spent);
      if (refusal !== undefined) return Promise.resolve(admissionAnswer(frozen, refusal));
      // Without the proof that it needs nothing is tried, so nothing is used up.
      spent = options.proof !== null || frozen.operation.declaration.approval === "not_required";
      return scope.work.track(commitOnce(options));
    },
  };
}

function refuseCommit(
  { limits }: Frozen,
  { deadlineMs }: CommitOptions,
  spent: boolean,
): Failure | undefined {
  if (spent) {
    return makeFailure("lifecycle_conflict", "This frozen write was committed before.", {
      hint: "Open its prepared file again; a known key then answers.",
    });
  }
  if (deadlineMs === undefined) return undefined;
  const leastMs = limits.providerMs + deadlineMarginMs;
  return Number.isSafeInteger(deadlineMs) && deadlineMs >= leastMs
    ? undefined
    : makeFailure("invalid_input", `A deadline for this write is at least ${leastMs} ms.`);
}

function admissionAnswer(frozen: Frozen, failure: Failure): WriteAnswer {
  const refusal = { failure, stage: "admission" } as const;
  return makeAnswer({ kind: "refused", refusal, audit: null }, { frozen, late: false });
}
