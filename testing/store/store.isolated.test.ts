import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleProgram, type BundledProgram } from "../programs/bundle-program.js";
import type { AnchoringPlan } from "./anchoring.js";
import { findLosses, runAnchoring } from "./run-anchoring.js";

let program: BundledProgram;
let folder: string;

beforeAll(async () => {
  program = await bundleProgram(join(import.meta.dirname, "anchoring.ts"));
  folder = mkdtempSync(join(tmpdir(), "connectors-store-"));
});

afterAll(() => {
  program.remove();
  rmSync(folder, { recursive: true, force: true });
});

function makePlan(name: string, change: Partial<AnchoringPlan> = {}): AnchoringPlan {
  return {
    directory: join(folder, name),
    thread: "caller",
    workerUrl: program.workerUrl.href,
    driver: null,
    records: 100,
    lanes: 8,
    ...change,
  };
}

function countRecords(lines: readonly { readonly kind: string }[]): number {
  return lines.filter((line) => line.kind === "record").length;
}

describe("one store in many processes", () => {
  test("loses no record, though six write at once and make it at once", async () => {
    const plans = Array.from({ length: 6 }, (_, n) =>
      makePlan("many", { thread: n % 2 === 0 ? "worker" : "caller" }),
    );
    const ended = await Promise.all(plans.map((plan) => runAnchoring(program.path, plan)));
    for (const { code, complaint } of ended) expect([code, complaint]).toEqual([0, ""]);
    const lines = ended.flatMap((one) => one.lines);
    // Each process's own row, and its records; nobody got another's place in the chain.
    expect(countRecords(lines)).toBe(6 * 101);
    const places = lines.flatMap((line) => (line.kind === "record" ? [line.sequence] : []));
    expect(new Set(places).size).toBe(places.length);
    expect(await findLosses(join(folder, "many"), lines)).toEqual([]);
  }, 120_000);
});

const canMount = spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs none /mnt"]).status === 0;

describe.each(["worker", "caller"] as const)("a disk that is full, on the %s thread", (thread) => {
  test.skipIf(!canMount)(
    "is told before anything is half written",
    async () => {
      const mount = join(folder, `full-${thread}`);
      mkdirSync(mount, { mode: 0o700 });
      const keep = join(folder, `kept-${thread}`);
      const plan = makePlan(`full-${thread}`, { thread, records: 100_000 });
      // The disk is the process's own; what stands on it in the end is copied out.
      const script = `mount -t tmpfs -o size=2m,mode=700 none ${mount} && "$@"; cp -a ${mount} ${keep}`;
      const ended = await runAnchoring(program.path, plan, (node) => [
        "unshare",
        "-rm",
        "sh",
        "-c",
        script,
        "sh",
        ...node,
      ]);
      expect(ended.complaint).toBe("");
      const failures = ended.lines.filter((line) => line.kind === "failed");
      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures) expect(failure.code).toMatch(/capacity|unavailable/);
      expect(countRecords(ended.lines)).toBeGreaterThan(100);
      expect(await findLosses(keep, ended.lines)).toEqual([]);
      // A definite failure left nothing behind: what is there was acknowledged.
      if (failures.every((failure) => failure.certainty === "definite")) {
        expect(ended.lines.at(-1)).toEqual({
          kind: "poisoned",
          poisoned: false,
          records: countRecords(ended.lines),
        });
      }
      const reopened = await openSqliteJournal({ directory: keep, thread: "caller" });
      expect(reopened.ok).toBe(true);
      if (reopened.ok) await reopened.value.journal.close();
    },
    120_000,
  );

  test("is a failure to open when there is no room for a store", async () => {
    const plan = makePlan(`none-${thread}`, { thread });
    // Sixteen blocks of 512 bytes: less than an empty store.
    const ended = await runAnchoring(program.path, plan, (node) => [
      "sh",
      "-c",
      'ulimit -f 16 && exec "$@"',
      "sh",
      ...node,
    ]);
    expect([ended.code, ended.complaint]).toEqual([0, ""]);
    expect(ended.lines).toEqual([
      {
        kind: "failed",
        certainty: "unopened",
        code: expect.stringMatching(/capacity|unavailable/),
      },
    ]);
    const reopened = await openSqliteJournal({ directory: plan.directory, thread: "caller" });
    expect(reopened.ok).toBe(true);
    if (reopened.ok) await reopened.value.journal.close();
  }, 60_000);

  test("poisons the process when a write was cut off, and a fresh open recovers", async () => {
    const plan = makePlan(`limited-${thread}`, { thread, records: 100_000 });
    // The log may grow to 512 KiB; a write that crosses it is cut off, which SQLite calls an I/O
    // error, and of which nothing is known until the store is opened afresh.
    const ended = await runAnchoring(program.path, plan, (node) => [
      "sh",
      "-c",
      'ulimit -f 1024 && exec "$@"',
      "sh",
      ...node,
    ]);
    expect([ended.code, ended.complaint]).toEqual([0, ""]);
    const failures = ended.lines.filter((line) => line.kind === "failed");
    expect(failures[0]).toEqual({ kind: "failed", certainty: "ambiguous", code: "unavailable" });
    expect(ended.lines.at(-1)).toMatchObject({ kind: "poisoned", poisoned: true });
    expect(countRecords(ended.lines)).toBeGreaterThan(10);
    expect(await findLosses(plan.directory, ended.lines)).toEqual([]);
  }, 60_000);
});

describe("an owner's lock", () => {
  test("is held to the end of its process, and falls with it", async () => {
    const nonce = "00000000-0000-4000-8000-00000000000a";
    const holder = await bundleProgram(join(import.meta.dirname, "holder.ts"));
    const { directory } = makePlan("locks");
    const child = spawn(
      process.execPath,
      ["--expose-gc", holder.path, directory, nonce, holder.workerUrl.href],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    try {
      const [said] = await once(child.stdout, "data");
      expect(String(said)).toBe("held\n");
      const opened = await openSqliteJournal({ directory, thread: "caller" });
      if (!opened.ok) throw new Error(opened.failure.message);
      const { journal, locks } = opened.value;
      expect((await locks.seize(nonce)).kind).toBe("alive");
      child.kill("SIGKILL");
      await once(child, "close");
      expect((await locks.seize(nonce)).kind).toBe("dead");
      await journal.close();
    } finally {
      child.kill("SIGKILL");
      holder.remove();
    }
  }, 60_000);
});
