import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readPrivateFile } from "./private-file.js";
import { checkInnerFolder } from "./state-directory.js";

const folder = mkdtempSync(join(tmpdir(), "connectors-inner-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a folder within the state directory is a real one of ours alone, or not there", async () => {
  const own = join(folder, "own");
  expect(await checkInnerFolder(own)).toMatchObject({ ok: true });
  mkdirSync(own, { mode: 0o700 });
  expect(await checkInnerFolder(own)).toMatchObject({ ok: true });
  symlinkSync(own, join(folder, "link"));
  expect(await checkInnerFolder(join(folder, "link"))).toMatchObject({
    failure: { code: "invalid_input" },
  });
  chmodSync(own, 0o777);
  expect(await checkInnerFolder(own)).toMatchObject({ failure: { code: "forbidden" } });
});

test("a pipe in the place of a state file is refused, not waited for", async () => {
  const pipe = join(folder, "dev.json");
  execFileSync("mkfifo", ["-m", "600", pipe]);
  expect(await readPrivateFile(pipe, 1024)).toMatchObject({ failure: { code: "invalid_input" } });
});
