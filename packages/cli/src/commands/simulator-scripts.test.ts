import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readFaults, readSeed } from "./simulator-scripts.js";

const folder = mkdtempSync(join(tmpdir(), "connectors-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, "script");
  writeFileSync(path, text);
  return path;
}

describe("a seed file", () => {
  test("is manifests, one or many, or one document of the seed's own form", async () => {
    const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
    const two = await readSeed(fileOf(`${pod}---\n---\n${pod.replace("name: a", "name: b")}`));
    expect(two.ok && two.value.objects).toHaveLength(2);
    const own = await readSeed(fileOf("users: [{name: bot}]\nmanifests: []"));
    expect(own.ok && own.value.users).toEqual([{ name: "bot" }]);
    const none = await readSeed(undefined);
    expect(none.ok && none.value.objects?.length).toBeGreaterThan(3);
    expect(await readSeed(join(folder, "nowhere"))).toMatchObject({
      failure: { code: "not_found" },
    });
  });

  test.each<[string, string, RegExp]>([
    ["is no YAML", "a: [", /not YAML at line/],
    ["has an unknown member", "manifest: []", /manifest/],
    ["has a kind that is not served", "kind: Tree\nmetadata: {name: x}", /kind/],
    ["has an object without a name", "apiVersion: v1\nkind: Pod\nmetadata: {}", /metadata\.name/],
    ["expands without an end", `a: &a [x, x]\n${bomb()}`, /aliases/],
  ])("that %s is refused, and where is said", async (_, text, says) => {
    const seed = await readSeed(fileOf(text));
    if (seed.ok) throw new Error("it was taken");
    expect(seed.failure.code).toBe("invalid_input");
    expect(seed.failure.message).toMatch(says);
  });
});

describe("a fault script", () => {
  test("is one document of rules", async () => {
    const rules = await readFaults(fileOf(script({ kind: "delay", ms: 5 })));
    expect(rules).toEqual({ ok: true, value: [{ match: {}, fault: { kind: "delay", ms: 5 } }] });
    expect(await readFaults(undefined)).toEqual({ ok: true, value: [] });
  });

  test.each<[string, string, RegExp]>([
    ["is no JSON", "format: x", /must be JSON/],
    ["has another format", '{"format":"x/1","rules":[]}', /format/],
    ["has a fault that is none", script({ kind: "explode" }), /kind/],
    ["delays for ever", script({ kind: "delay", ms: 1e12 }), /ms/],
  ])("that %s is refused, and where is said", async (_, text, says) => {
    const faults = await readFaults(fileOf(text));
    if (faults.ok) throw new Error("it was taken");
    expect(faults.failure.code).toBe("invalid_input");
    expect(faults.failure.message).toMatch(says);
  });
});

function script(fault: object): string {
  return JSON.stringify({ format: "connectors.simulator-faults/1", rules: [{ fault }] });
}

function bomb(): string {
  const line = (name: string, of: string): string => `${name}: &${name} [${`*${of},`.repeat(20)}]`;
  return ["bcdefgh".split("").map((name, at) => line(name, "abcdefgh"[at] ?? "a"))]
    .flat()
    .join("\n");
}
