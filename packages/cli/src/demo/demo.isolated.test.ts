import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCommand } from "../testing/run-command.js";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "connectors-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Its own state, home and temporary folder: whatever it leaves is seen.
const around = () => ({ cwd: folder, environment: { TMPDIR: folder, HOME: folder, CI: "true" } });

test("plays eight scenes in a pipe, each as it is promised, and leaves nothing behind", async () => {
  const { code, stdout, stderr } = await startCommand(["demo", "--no-color"], around()).ended;
  expect(stderr).toBe("");
  const titles = stdout.split("\n").filter((line) => /^\d {2}\S/.test(line));
  expect(titles.map((line) => line[0])).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  for (const said of [
    /applied \(exit 0\)/,
    /applied \(replayed: the stored answer\) \(exit 0\)/,
    /refused: invalid_input at response \(exit 1\)/,
    /the command exited with 3 \(exit 4\)/,
    /applied, the command exited with 0 \(exit 0\)\n {3}Success, byte for byte/,
    /unknown: unavailable at response \(exit 3\)/,
    /killed by SIGKILL/,
    /the cluster counted 1 request/,
    /whole: \d+ records/,
  ]) {
    expect(stdout).toMatch(said);
  }
  expect(stdout).not.toContain("\u001b");
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .slice(-3)
      .every((line) => line.startsWith("   $ ")),
  ).toBe(true);
  expect(code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);

test("interrupted, it ends with 130 and leaves nothing behind", async () => {
  const running = startCommand(["demo"], around());
  await expect.poll(() => running.stdout(), { timeout: 30_000 }).toContain("\n1  ");
  running.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
}, 60_000);
