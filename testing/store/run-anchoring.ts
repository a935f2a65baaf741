import { spawn } from "node:child_process";
import { encodeCanonicalAuditRecord, parseAuditRecord } from "@connectors/domain";
import { readAuditPages, verifyChain } from "@connectors/runtime";
import { sha256Hex } from "@connectors/sdk";
import { checkSqliteStore, openSqliteJournal } from "@connectors/store-sqlite";
import { must } from "../programs/cluster-host.js";
import type { AnchoringLine, AnchoringPlan } from "./anchoring.js";

/** How a process that appended records ended. */
export interface Anchored {
  readonly code: number | null;
  readonly lines: readonly AnchoringLine[];
  readonly complaint: string;
}

/** Runs one process; `around` is what starts Node, such as a shell that limits it first. */
export function runAnchoring(
  program: string,
  plan: AnchoringPlan,
  around: (node: readonly string[]) => readonly string[] = (node) => node,
): Promise<Anchored> {
  const [command = "", ...args] = around([process.execPath, program, JSON.stringify(plan)]);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [text, complaint] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint += piece;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = text.split("\n").slice(0, -1);
      resolve({
        code,
        complaint,
        lines: lines.map((line) => JSON.parse(line) as AnchoringLine),
      });
    });
  });
}

/** What is wrong with a store whose processes were acknowledged these lines; empty when nothing. */
export async function findLosses(
  directory: string,
  lines: readonly AnchoringLine[],
): Promise<readonly string[]> {
  const losses = [...must(await checkSqliteStore({ directory }))];
  const { journal } = must(await openSqliteJournal({ directory, create: false, thread: "caller" }));
  try {
    const verdict = must(await verifyChain(readAuditPages(journal)));
    if (verdict.kind === "broken") losses.push(`the chain breaks at ${verdict.sequence}`);
    const digests = new Map<number, string>();
    for await (const page of readAuditPages(journal)) {
      for (const read of must(page).records) {
        const record = parseAuditRecord(read);
        if (!record.ok) return [...losses, "a record does not fit its model"];
        const { sequence } = record.value;
        digests.set(sequence, sha256Hex(encodeCanonicalAuditRecord(record.value)));
      }
    }
    for (const line of lines) {
      if (line.kind === "record" && digests.get(line.sequence) !== line.sha256) {
        losses.push(`the acknowledged record ${line.sequence} is not there`);
      }
    }
    return losses;
  } finally {
    await journal.close();
  }
}
