import type { JournalQuery, JournalRequest, JournalView } from "@connectors/domain";
import type { AnswerOf, Journal, JournalFailure } from "@connectors/runtime";
import type { Outcome } from "@connectors/sdk";
import type { JournalQueue } from "./journal-queue.js";

/** The port, in front of a queue. */
export function makeQueuedJournal(queue: JournalQueue): Journal {
  return {
    async transact<Request extends JournalRequest>(
      request: Request,
      { deadlineMs }: { readonly deadlineMs: number },
    ): Promise<Outcome<AnswerOf<Request["kind"]>, JournalFailure>> {
      const result = await queue.transact(request, deadlineMs);
      // The machine answers each kind of request with the kinds that AnswerOf lists for it.
      return result as Outcome<AnswerOf<Request["kind"]>, JournalFailure>;
    },
    async query<Query extends JournalQuery>(
      query: Query,
    ): Promise<Outcome<Extract<JournalView, { kind: Query["kind"] }>>> {
      // A read is answered by the view of its own kind.
      return (await queue.query(query)) as Outcome<Extract<JournalView, { kind: Query["kind"] }>>;
    },
    close: () => queue.close(),
  };
}
