import {
  encodeCanonicalAuditRecord,
  parseSha256,
  type AuditDraft,
  type AuditPosition,
  type AuditRecord,
  type Sha256,
} from "@connectors/domain";
import { invariant } from "@connectors/sdk";
import { digestOf, toCounter } from "./measure.js";
import type { RowWrite } from "./rows.js";

/** What the first record of a chain names as its previous one. */
export const firstPrev: Sha256 = readFirstPrev();

/** The sequence of a chain's first record; so a chain's last sequence is also its length. */
export const firstSequence = 1;

function readFirstPrev(): Sha256 {
  const zeros = parseSha256("0".repeat(64));
  invariant(zeros.ok, "64 zeros have a digest's form");
  return zeros.value;
}

/** A record in its place, and the write that puts it there. */
export interface AppendedRecord {
  readonly position: AuditPosition;
  readonly write: RowWrite;
}

/** The record that follows `head` in its chain. */
export function appendRecord(head: AuditPosition | null, body: AuditDraft): AppendedRecord {
  const record: AuditRecord = {
    format: "connectors.audit/1",
    sequence: toCounter(head === null ? firstSequence : head.sequence + 1),
    prev: head === null ? firstPrev : head.sha256,
    body,
  };
  const text = encodeCanonicalAuditRecord(record);
  const sha256 = digestOf(text);
  return {
    position: { sequence: record.sequence, sha256 },
    write: { kind: "append_audit", record, text, sha256 },
  };
}

/** The digest that the next record names: of the record's canonical JSON. */
export function digestRecord(record: AuditRecord): Sha256 {
  return digestOf(encodeCanonicalAuditRecord(record));
}
