import { parseAuditRecord, type AuditPosition } from "@connectors/domain";
import { succeed, type Outcome } from "@connectors/sdk";
import { digestRecord, firstPrev, firstSequence } from "../journal/audit-append.js";
import type { AuditPage } from "./audit-pages.js";

/** Why a record does not fit its place. */
export type ChainFault =
  /** It is no audit record. */
  | "malformed"
  /** It is not the next in sequence, or is missing. */
  | "gap"
  /** It does not name the digest of the record before it: that one, or this one, was changed. */
  | "wrong_prev"
  /** It is the newest, and its digest is not the one that the store's head names. */
  | "wrong_digest";

/** A whole chain and where it ends, or the first record that does not fit. */
export type ChainVerdict =
  | { readonly kind: "whole"; readonly records: number; readonly head: AuditPosition | null }
  | {
      readonly kind: "broken";
      /** The sequence that should stand there. */
      readonly sequence: number;
      readonly fault: ChainFault;
    };

/**
 * Whether every record names the digest of the one before it, from the first to the head.
 *
 * It finds accidents and partial changes. Whoever owns the store can write a whole other chain, and
 * can cut this one's end off together with its head; only a head that was kept elsewhere shows that.
 */
export async function verifyChain(
  pages: AsyncIterable<Outcome<AuditPage>>,
): Promise<Outcome<ChainVerdict>> {
  let last: AuditPosition | null = null;
  let head: AuditPosition | null = null;
  for await (const page of pages) {
    if (!page.ok) return page;
    head = page.value.head;
    for (const record of page.value.records) {
      const link = checkLink(last, record);
      if (typeof link === "string") return succeed(breakAt(last, link));
      last = link;
    }
  }
  if (head?.sequence !== last?.sequence) return succeed(breakAt(last, "gap"));
  if (last !== null && head?.sha256 !== last.sha256) {
    return succeed({ kind: "broken", sequence: last.sequence, fault: "wrong_digest" });
  }
  return succeed({ kind: "whole", records: last?.sequence ?? 0, head: last });
}

function checkLink(last: AuditPosition | null, record: unknown): AuditPosition | ChainFault {
  const parsed = parseAuditRecord(record);
  if (!parsed.ok) return "malformed";
  const { sequence, prev } = parsed.value;
  if (sequence !== nextSequence(last)) return "gap";
  if (prev !== (last?.sha256 ?? firstPrev)) return "wrong_prev";
  return { sequence, sha256: digestRecord(parsed.value) };
}

function nextSequence(last: AuditPosition | null): number {
  return last === null ? firstSequence : last.sequence + 1;
}

function breakAt(last: AuditPosition | null, fault: ChainFault): ChainVerdict {
  return { kind: "broken", sequence: nextSequence(last), fault };
}
