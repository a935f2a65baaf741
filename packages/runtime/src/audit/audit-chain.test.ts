import { parseAuditRecord, type AuditPosition, type AuditRecord } from "@connectors/domain";
import { fail, sha256Hex, succeed, type Outcome } from "@connectors/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendRecord, digestRecord } from "../journal/audit-append.js";
import type { Journal } from "../journal/journal.js";
import { openMemoryJournal } from "../journal/memory-journal.js";
import { fixtureNonce, fixtureTime, makeFixtureDraft } from "../testing/journal-fixtures.js";
import { anchorRequest, openOwnerRequest } from "../testing/journal-requests.js";
import { readAuditPages, type AuditPage } from "./audit-pages.js";
import { exportAudit, readAuditHead } from "./export-audit.js";
import { verifyChain, type ChainVerdict } from "./verify-chain.js";

async function openFilledJournal(records: number): Promise<Journal> {
  const { journal } = openMemoryJournal();
  await journal.transact(openOwnerRequest(1), { deadlineMs: 1000 });
  for (let n = 1; n < records; n += 1) {
    await journal.transact(anchorRequest(1, n), { deadlineMs: 1000 });
  }
  return journal;
}

function makeChain(length: number): { records: AuditRecord[]; head: AuditPosition | null } {
  const records: AuditRecord[] = [];
  let head: AuditPosition | null = null;
  for (let n = 0; n < length; n += 1) {
    const at = { at_ms: fixtureTime(n) };
    const { position, write } = appendRecord(head, makeFixtureDraft("anchor", fixtureNonce(1), at));
    head = position;
    if (write.kind === "append_audit") records.push(write.record);
  }
  return { records, head };
}

async function* pagesOf(
  records: readonly unknown[],
  head: AuditPosition | null,
): AsyncGenerator<Outcome<AuditPage>> {
  for (let from = 0; from <= records.length; from += 3) {
    yield await Promise.resolve(succeed({ records: records.slice(from, from + 3), head }));
  }
}

async function verify(
  records: readonly unknown[],
  head: AuditPosition | null,
): Promise<ChainVerdict> {
  const verdict = await verifyChain(pagesOf(records, head));
  if (!verdict.ok) throw new Error("the pages were readable");
  return verdict.value;
}

describe("the audit chain", () => {
  test("an empty chain is whole", async () => {
    expect(await verify([], null)).toEqual({ kind: "whole", records: 0, head: null });
  });

  test("a chain is read to its head, page by page, and is whole", async () => {
    const journal = await openFilledJournal(10);
    const verdict = await verifyChain(readAuditPages(journal, 3));
    const head = await readAuditHead(journal);
    expect(head.ok && head.value?.sequence).toBe(10);
    expect(verdict).toEqual(
      succeed({ kind: "whole", records: 10, head: head.ok ? head.value : null }),
    );
  });

  test("an export's lines are the bytes that the digests are of", async () => {
    const journal = await openFilledJournal(7);
    let prev = "0".repeat(64);
    let lines = 0;
    for await (const line of exportAudit(journal)) {
      if (!line.ok) throw new Error("the line is readable");
      expect(line.value.endsWith("\n")).toBe(true);
      const record = parseAuditRecord(JSON.parse(line.value));
      expect(record.ok && record.value.prev).toBe(prev);
      prev = sha256Hex(line.value.trimEnd());
      lines += 1;
    }
    const head = await readAuditHead(journal);
    expect(head.ok && head.value).toEqual({ sequence: lines, sha256: prev });
  });

  test("a read that fails is told, by the pages, the export and the verdict", async () => {
    const journal = await openFilledJournal(2);
    await journal.close();
    const failed = expect.objectContaining({ ok: false });
    expect(await verifyChain(readAuditPages(journal))).toEqual(failed);
    expect(await readAuditHead(journal)).toEqual(failed);
    const lines: unknown[] = [];
    for await (const line of exportAudit(journal)) lines.push(line);
    expect(lines).toEqual([failed]);
  });

  test("pages that fail half way give no verdict", async () => {
    const { records, head } = makeChain(4);
    async function* failing(): AsyncGenerator<Outcome<AuditPage>> {
      yield await Promise.resolve(succeed({ records: records.slice(0, 2), head }));
      yield fail("unavailable", "gone");
    }
    expect((await verifyChain(failing())).ok).toBe(false);
  });

  test("the first record that does not fit is named, with its fault", async () => {
    const { records, head } = makeChain(8);
    const changed = (at: number, change: object): readonly unknown[] =>
      records.map((record, n) => (n === at ? { ...record, ...change } : record));
    const other = records[0]?.body;
    const cases: readonly (readonly [readonly unknown[], number, string])[] = [
      [changed(0, { body: { ...other, pid: 7 } }), 1, "malformed"],
      [changed(3, { sequence: 9 }), 4, "gap"],
      [changed(3, { prev: "f".repeat(64) }), 4, "wrong_prev"],
      [changed(3, { body: other }), 5, "wrong_prev"],
      [changed(7, { body: other }), 8, "wrong_digest"],
      [records.slice(1), 1, "gap"],
      [records.slice(0, 5), 6, "gap"],
      [[...records.slice(0, 4), ...records.slice(5)], 5, "gap"],
      [[...records.slice(0, 4), records[3], ...records.slice(4)], 5, "gap"],
      [[null], 1, "malformed"],
    ];
    for (const [chain, sequence, fault] of cases) {
      expect(await verify(chain, head)).toEqual({ kind: "broken", sequence, fault });
    }
  });

  test("a store that lost its head, or its records, is not whole", async () => {
    const { records, head } = makeChain(3);
    expect((await verify(records, null)).kind).toBe("broken");
    expect(await verify([], head)).toEqual({ kind: "broken", sequence: 1, fault: "gap" });
  });

  test("any one changed fact of any record breaks the chain at that record or the next", async () => {
    const { records, head } = makeChain(6);
    const seed = 20_260_101;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(records.length - 1),
        fc.integer({ min: 1, max: 1e9 }),
        async (at, by) => {
          const tampered = records.map((record, n) =>
            n === at
              ? { ...record, body: { ...record.body, at_ms: record.body.at_ms + by } }
              : record,
          );
          const verdict = await verify(tampered, head);
          const sequence = at === records.length - 1 ? at + 1 : at + 2;
          expect(verdict).toMatchObject({ kind: "broken", sequence });
        },
      ),
      { seed, numRuns: 200 },
    );
  });

  test("a digest does not depend on the order of members", () => {
    const [record] = makeChain(1).records;
    if (record === undefined) throw new Error("one record");
    const { body, ...rest } = record;
    expect(digestRecord({ body, ...rest })).toBe(digestRecord(record));
  });
});
