import { writeSync } from "node:fs";
import {
  encodeCanonicalKeptOutcome,
  type JournalAnswer,
  type JournalQuery,
  type JournalRequest,
  type JournalView,
} from "@connectors/domain";
import type { AnswerOf, Journal, JournalFailure, OwnerLocks } from "@connectors/runtime";
import type { AuthenticatedWrite, CapturedConnection, Connection, Outcome } from "@connectors/sdk";
import type { ChildLine } from "./plan.js";

/** Counts the boundaries that this process crosses, and ends it at one of them. */
export interface Boundaries {
  cross(name: string): void;
}

/** Tells the parent; when this returns the line is in the pipe, whatever becomes of this process. */
export function tell(line: ChildLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** The boundaries of this process; `killAt` counts from 1. */
export function makeBoundaries(killAt: number | null): Boundaries {
  let number = 0;
  return {
    cross: (name) => {
      number += 1;
      if (killAt !== null) tell({ kind: "boundary", number, name });
      if (number === killAt) process.kill(process.pid, "SIGKILL");
    },
  };
}

/** The journal, with a boundary before and behind each transaction, and its answers told. */
export function watchJournal(inner: Journal, boundaries: Boundaries): Journal {
  return {
    async transact<Request extends JournalRequest>(
      request: Request,
      options: { readonly deadlineMs: number },
    ): Promise<Outcome<AnswerOf<Request["kind"]>, JournalFailure>> {
      boundaries.cross(`${request.kind} asked`);
      const outcome = await inner.transact(request, options);
      boundaries.cross(`${request.kind} committed`);
      if (outcome.ok) tellAnswer(outcome.value);
      boundaries.cross(`${request.kind} acknowledged`);
      return outcome;
    },
    query<Query extends JournalQuery>(
      query: Query,
    ): Promise<Outcome<Extract<JournalView, { kind: Query["kind"] }>>> {
      return inner.query(query);
    },
    close: () => inner.close(),
  };
}

function tellAnswer(answer: JournalAnswer): void {
  switch (answer.kind) {
    case "done":
      tell({ kind: "record", ...answer.audit });
      return;
    case "prepared":
    case "opened":
    case "settled":
    case "conflict":
    case "exists": {
      const { id, state, outcome, audit } = answer.attempt;
      const kept = outcome === null ? null : encodeCanonicalKeptOutcome(outcome);
      tell({ kind: "attempt", id, state, outcome: kept });
      tell({ kind: "record", ...audit });
      return;
    }
    case "recovered":
      if (answer.audit !== null) tell({ kind: "record", ...answer.audit });
      return;
    case "refused":
      return;
  }
}

/** Owners' locks, with a boundary before and behind each take and release. */
export function watchLocks(inner: OwnerLocks, boundaries: Boundaries): OwnerLocks {
  return {
    async hold(nonce) {
      boundaries.cross("lock asked");
      const held = await inner.hold(nonce);
      boundaries.cross("lock held");
      if (!held.ok) return held;
      return { ok: true, value: { release: () => release(held.value, "lock", boundaries) } };
    },
    async seize(nonce) {
      boundaries.cross("seizure asked");
      const seized = await inner.seize(nonce);
      boundaries.cross("seizure answered");
      if (seized.kind !== "dead") return seized;
      return { kind: "dead", release: () => release(seized, "seizure", boundaries) };
    },
  };
}

async function release(
  lock: { release(): Promise<void> },
  name: string,
  boundaries: Boundaries,
): Promise<void> {
  boundaries.cross(`${name} release asked`);
  await lock.release();
  boundaries.cross(`${name} released`);
}

/** The connection, with a boundary before and behind its one send. */
export function watchConnection(inner: Connection, boundaries: Boundaries): Connection {
  return {
    describe: () => inner.describe(),
    async capture(options) {
      boundaries.cross("capture asked");
      const captured = await inner.capture(options);
      boundaries.cross("captured");
      return captured.ok
        ? { ok: true, value: watchCaptured(captured.value, boundaries) }
        : captured;
    },
  };
}

function watchCaptured(inner: CapturedConnection, boundaries: Boundaries): CapturedConnection {
  return {
    username: inner.username,
    http: inner.http,
    check: (path) => inner.check(path),
    write() {
      const write = inner.write();
      return write.ok ? { ok: true, value: watchWrite(write.value, boundaries) } : write;
    },
    upgrade: (bounds) => inner.upgrade(bounds),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

function watchWrite(inner: AuthenticatedWrite, boundaries: Boundaries): AuthenticatedWrite {
  return {
    async send(request, options) {
      boundaries.cross("send asked");
      const sending = inner.send(request, options);
      boundaries.cross("send begun");
      const answer = await sending;
      boundaries.cross("send answered");
      return answer;
    },
  };
}
