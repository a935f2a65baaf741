import {
  encodeCanonicalAuditRecord,
  parseAuditRecord,
  type AuditPosition,
} from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { Journal } from "../journal/journal.js";
import { toCounter } from "../journal/measure.js";
import { readAuditPages } from "./audit-pages.js";

/** Which part of a chain to export. */
export interface ExportOptions {
  /** The sequence of the first record; absent: from the beginning. */
  readonly since?: number;
}

/**
 * The chain as JSON Lines: each record's canonical JSON, whose SHA-256 the next one names, and a
 * newline. A failure is the last thing it yields.
 */
export async function* exportAudit(
  journal: Pick<Journal, "query">,
  { since }: ExportOptions = {},
): AsyncGenerator<Outcome<string>, void, undefined> {
  for await (const page of readAuditPages(journal, undefined, since)) {
    if (!page.ok) {
      yield page;
      return;
    }
    for (const record of page.value.records) {
      const parsed = parseAuditRecord(record);
      if (!parsed.ok) {
        yield fail("unavailable", "A record of the audit chain is not readable.", {
          hint: "Run `connectors audit verify`; it names the record.",
        });
        return;
      }
      yield succeed(`${encodeCanonicalAuditRecord(parsed.value)}\n`);
    }
  }
}

/** Where the chain ends: what to keep elsewhere, to notice later that it was cut or rewritten. */
export async function readAuditHead(
  journal: Pick<Journal, "query">,
): Promise<Outcome<AuditPosition | null>> {
  const page = await journal.query({ kind: "audit", from: toCounter(0), limit: 1 });
  return page.ok ? succeed(page.value.head) : page;
}
