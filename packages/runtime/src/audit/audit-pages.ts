import { auditPageMax, type AuditPosition } from "@connectors/domain";
import { succeed, type Outcome } from "@connectors/sdk";
import { firstSequence } from "../journal/audit-append.js";
import type { Journal } from "../journal/journal.js";
import { toCounter } from "../journal/measure.js";

/** Consecutive records of a chain, not yet trusted, and the chain's head as the store has it. */
export interface AuditPage {
  readonly records: readonly unknown[];
  readonly head: AuditPosition | null;
}

/**
 * The chain from its `first` record on to the head that its last page names, a page at a time.
 *
 * A read that failed is the last thing it yields. Records that are appended meanwhile are read too;
 * a store that names a head and has not the records up to it ends with an empty page.
 */
export async function* readAuditPages(
  journal: Pick<Journal, "query">,
  pageSize: number = auditPageMax,
  first: number = firstSequence,
): AsyncGenerator<Outcome<AuditPage>, void, undefined> {
  let from = Math.max(first, firstSequence);
  for (;;) {
    const page = await journal.query({ kind: "audit", from: toCounter(from), limit: pageSize });
    if (!page.ok) {
      yield page;
      return;
    }
    const { records, head } = page.value;
    yield succeed({ records, head });
    from += records.length;
    if (records.length === 0 || head === null || from > head.sequence) return;
  }
}
