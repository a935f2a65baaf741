import type { JournalQuery, JournalRequest, JournalView } from "@connectors/domain";
import type { Outcome } from "@connectors/sdk";
import type { AnswerOf, Journal, JournalFailure } from "../journal/journal.js";

type Kind = JournalRequest["kind"];

/** A journal that can be listened to, and stopped in front of and behind each transaction. */
export interface JournalTap {
  readonly journal: Journal;
  /** Runs before the next transaction of this kind, once. */
  before(kind: Kind, run: () => void | Promise<void>): void;
  /** Runs after the next transaction of this kind, once, before its answer is given. */
  after(kind: Kind, run: () => void | Promise<void>): void;
  /** The next reads of this kind fail, as often as said. */
  failReads(kind: JournalQuery["kind"], failure: Outcome<never>, times: number): void;
  /** Every transaction that was asked for, in order. */
  readonly kinds: readonly Kind[];
}

/** The same journal, tapped. */
export function tapJournal(inner: Journal): JournalTap {
  const before = new Map<Kind, () => void | Promise<void>>();
  const after = new Map<Kind, () => void | Promise<void>>();
  const reads = new Map<JournalQuery["kind"], { failure: Outcome<never>; times: number }>();
  const kinds: Kind[] = [];

  async function runOnce(hooks: typeof before, kind: Kind): Promise<void> {
    const hook = hooks.get(kind);
    hooks.delete(kind);
    await hook?.();
  }

  const journal: Journal = {
    async transact<Request extends JournalRequest>(
      request: Request,
      options: { readonly deadlineMs: number },
    ): Promise<Outcome<AnswerOf<Request["kind"]>, JournalFailure>> {
      kinds.push(request.kind);
      await runOnce(before, request.kind);
      const answer = await inner.transact(request, options);
      await runOnce(after, request.kind);
      return answer;
    },
    query<Query extends JournalQuery>(
      query: Query,
    ): Promise<Outcome<Extract<JournalView, { kind: Query["kind"] }>>> {
      const failing = reads.get(query.kind);
      if (failing === undefined || failing.times === 0) return inner.query(query);
      failing.times -= 1;
      return Promise.resolve(failing.failure);
    },
    close: () => inner.close(),
  };
  return {
    journal,
    before: (kind, run) => void before.set(kind, run),
    after: (kind, run) => void after.set(kind, run),
    failReads: (kind, failure, times) => void reads.set(kind, { failure, times }),
    kinds,
  };
}
