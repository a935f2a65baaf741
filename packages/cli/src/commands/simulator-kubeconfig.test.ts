import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { saveKubeconfig } from "./simulator-kubeconfig.js";

const folder = mkdtempSync(join(tmpdir(), "connectors-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a kubeconfig that nobody named lies in a folder of its own, and is removed with it", async () => {
  const saved = await saveKubeconfig(undefined, "kind: Config\n");
  if (!saved.ok) throw new Error(saved.failure.message);
  const { path } = saved.value;
  expect(readFileSync(path, "utf8")).toContain("kind: Config");
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  await saved.value.remove();
  expect(() => statSync(dirname(path))).toThrow("ENOENT");
});

test("one that was named is replaced whole, made private, and kept", async () => {
  const path = join(folder, "named.yaml");
  for (const text of [`${"long ".repeat(50)}\n`, "short\n"]) {
    const saved = await saveKubeconfig(path, text);
    if (!saved.ok) throw new Error(saved.failure.message);
    await saved.value.remove();
    expect(readFileSync(path, "utf8").split("\n").slice(1).join("\n")).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test("nobody else's file is overwritten, and no link is followed", async () => {
  const theirs = join(folder, "theirs.yaml");
  for (const text of ["kind: Config\n", "# Written by hand\n"]) {
    writeFileSync(theirs, text);
    expect(await saveKubeconfig(theirs, "x")).toMatchObject({
      failure: { code: "lifecycle_conflict" },
    });
    expect(readFileSync(theirs, "utf8")).toBe(text);
  }
  symlinkSync(theirs, join(folder, "link.yaml"));
  for (const path of [join(folder, "link.yaml"), join(folder, "no/folder.yaml"), folder]) {
    expect(await saveKubeconfig(path, "x")).toMatchObject({ failure: { code: "unavailable" } });
  }
});
