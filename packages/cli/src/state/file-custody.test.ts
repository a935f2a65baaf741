import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseKid, type Kid } from "@connectors/domain";
import { afterAll, expect, test } from "vitest";
import { holdsKey } from "./file-custody.js";

const folder = mkdtempSync(join(tmpdir(), "connectors-custody-"));
afterAll(() => rmSync(folder, { recursive: true }));

function kidOf(letter: string): Kid {
  const parsed = parseKid(letter.repeat(43));
  if (!parsed.ok) throw new Error("not a kid");
  return parsed.value;
}

test("a key lies here when its file does, and not when it or the folder is missing", async () => {
  const state = join(folder, "state");
  expect(await holdsKey(state, kidOf("A"))).toBe(false);
  mkdirSync(join(state, "keys"), { recursive: true });
  writeFileSync(join(state, "keys", `${kidOf("A")}.json`), "{}");
  expect(await holdsKey(state, kidOf("A"))).toBe(true);
  expect(await holdsKey(state, kidOf("B"))).toBe(false);
});

test("a key that cannot be looked for is not claimed to be elsewhere", async () => {
  const state = join(folder, "odd");
  mkdirSync(state);
  symlinkSync("keys", join(state, "keys"));
  expect(await holdsKey(state, kidOf("A"))).toBe(true);
});
