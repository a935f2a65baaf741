import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCommandRig, restartNow, type CommandRig } from "../testing/command-rig.js";

let rig: CommandRig;

beforeAll(async () => {
  rig = await openCommandRig();
});
afterAll(() => rig.close());

function lines(stdout: string): readonly unknown[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

describe("stdout carries the answer and nothing else", () => {
  test.each<[string, readonly string[]]>([
    ["adapters list", ["adapters", "list"]],
    ["operations", ["operations"]],
    ["approvers list", ["approvers", "list"]],
    ["keys list", ["keys", "list"]],
    ["doctor", ["doctor"]],
    ["adapters check", ["adapters", "check", "dev"]],
  ])("`%s -o json` is one value, and `-o jsonl` a line for each", async (_, args) => {
    const json = await rig.run([...args, "-o", "json"]);
    const jsonl = await rig.run([...args, "-o", "jsonl"]);
    expect(lines(json.stdout)).toHaveLength(1);
    const [value] = lines(json.stdout);
    const rows = Array.isArray(value) ? value : (value as { findings: unknown[] }).findings;
    expect(lines(jsonl.stdout)).toHaveLength(rows.length);
    expect([json.code, jsonl.code]).toEqual([0, 0]);
    expect(json.stderr + jsonl.stderr).toBe("");
  });

  test("notices go to stderr, and -q leaves them out", async () => {
    const loud = await rig.run(["write", ...restartNow, "-o", "json"]);
    expect(loud.stderr).toContain("key: ");
    expect(loud.stderr).toContain("subject sha256: ");
    expect(lines(loud.stdout)).toHaveLength(1);
    const quiet = await rig.run(["write", ...restartNow, "-o", "json", "-q"]);
    expect(quiet.stderr).toBe("");
    expect(lines(quiet.stdout)).toHaveLength(1);
    expect([loud.code, quiet.code]).toEqual([1, 1]);
  });

  test("a prepared file is canonical JSON and one newline, whatever the format asked for", async () => {
    const input = ["dev/pods.exec", "namespace=web", "pod=p", "container=app", "--", "id"];
    const plain = await rig.run(["prepare", ...input]);
    const json = await rig.run(["prepare", ...input.slice(0, -2), "-o", "json", "--", "id"]);
    for (const { stdout } of [plain, json]) {
      expect(stdout).toMatch(/^\{"format":"connectors\.prepared\/1",.*\}\n$/);
      expect(lines(stdout)).toHaveLength(1);
    }
  });

  test("what a container printed goes where it would have gone", async () => {
    const where = ["dev/pods.exec", "namespace=web", `pod=${rig.podName()}`, "container=app"];
    const file = await rig.prepare("streams.json", [
      ...where,
      "--",
      "sh",
      "-c",
      "echo out; cat /nowhere",
    ]);
    const proof = await rig.approve(file);
    const ended = await rig.run(["write", "--prepared", file, "--proof", proof]);
    expect(ended.stdout).toBe("out\n");
    expect(ended.stderr).toMatch(/^cat: .*\napplied: "sh" in web\//);
    expect(ended.code).toBe(4);
  });
});

describe("whoever reads may go away", () => {
  const shell = (line: string): readonly string[] => {
    return ["/bin/bash", "-c", `set -o pipefail; "$@" ${line}; exit $?`, "bash"];
  };

  test("a reader that wants one byte of an export ends it without a word", async () => {
    const ended = await rig.run(["audit", "export"], { before: shell("| head -c 1") });
    expect(ended).toMatchObject({ stdout: "{", stderr: "" });
    expect(ended.code).toBe(0);
  });

  test("a write whose stdout is closed is made, and its exit code says so", async () => {
    const write = await rig.approved("closed.json", restartNow);
    const ended = await rig.run(write, { before: shell("| true") });
    expect(ended.stderr).toBe("");
    expect(ended.code).toBe(0);
    const again = await rig.run(write);
    expect(again.stdout).toContain('"replayed":true');
  });
});
