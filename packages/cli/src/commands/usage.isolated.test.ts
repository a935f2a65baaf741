import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf, openCommandRig, restartNow, type CommandRig } from "../testing/command-rig.js";

let rig: CommandRig;
let before = 0;

beforeAll(async () => {
  rig = await openCommandRig();
  before = rig.requests();
});
afterAll(() => rig.close());

const exec = ["write", "dev/pods.exec", "namespace=web", "pod=p", "container=app"];
const restart = ["write", "dev/deployment.rollout_restart", "namespace=web", "name=api"];

const wrong: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
  ["an unknown command", ["wirte"], /unknown command 'wirte' \(Did you mean write\?\)/],
  ["an unknown flag", ["write", "--rawr"], /unknown option '--rawr' \(Did you mean --raw\?\)/],
  ["an operation without its adapter", ["write", "pods.exec"], /ADAPTER\/OPERATION/],
  ["no operation", ["read"], /ADAPTER\/OPERATION/],
  [
    "an unknown operation",
    ["write", "dev/pods.exce"],
    /no such operation\. Did you mean pods\.exec\?/,
  ],
  ["an unknown operation of describe", ["describe", "dev/pod.exec"], /Did you mean pods\.exec\?/],
  ["an unknown field", [...exec, "contaner=x"], /no field `contaner`\. Did you mean container\?/],
  ["a field twice", [...exec, "pod=q"], /pod is given twice/],
  ["a word that is no field", [...exec, "id"], /`id` is not field=value/],
  ["a number that is none", [...exec, "timeout_seconds=5s"], /timeout_seconds is a whole number/],
  ["JSON that is none", [...exec, "command:=[id"], /command: /],
  ["a list as JSON and after `--`", [...exec, 'command:=["id"]', "--", "id"], /given twice/],
  ["a command for what runs none", [...restart, "--", "id"], /takes no command/],
  ["--input beside fields", [...exec, "--input", "{}"], /both given/],
  ["--prepared beside an operation", [...exec, "--prepared", "x"], /--prepared brings/],
  ["--proof alone", [...exec, "--proof", "x"], /--proof approves the bytes/],
  ["--at-current with --key", ["write", ...restartNow, "--key", "k"], /do not go together/],
  ["--at-current for an exec", [...exec, "--at-current"], /is for deployment\.rollout_restart/],
  ["--at-current with a version", ["write", ...restartNow, "uid=x"], /reads uid and/],
  [
    "a kind of adapter that is none",
    ["adapters", "add", "kubernets", "x", "--namespaces", "a"],
    /Did you mean kubernetes\?/,
  ],
  [
    "a write that is none",
    ["adapters", "add", "kubernetes", "x", "--namespaces", "a", "--allow", "pod.exec"],
    /Did you mean pods\.exec\?/,
  ],
  [
    "a server without its token",
    ["adapters", "add", "kubernetes", "x", "--namespaces", "a", "--server", "https://h"],
    /go together/,
  ],
  ["`serve`, which comes later", ["serve"], /unknown command/],
];

describe("a command line that is wrong ends with 2 and no request", () => {
  test.each(wrong)("%s", async (_, args, says) => {
    const { code, stdout, stderr } = await rig.runHere(args);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/\n {2}Nothing was done\.\n {2}next: ./);
    expect(stdout).toBe("");
    expect(code).toBe(2);
    expect(rig.requests()).toBe(before);
  });

  test("with -o json the failure is one object on stdout", async () => {
    for (const asked of [["-o", "json"], ["-ojson"], ["--output=json"], ["--output", "jsonl"]]) {
      const ended = await rig.run(["write", "--rawr", ...asked]);
      expect(failureOf(ended)).toMatchObject({ code: "invalid_input", effect: "none" });
      expect(ended).toMatchObject({ code: 2, stderr: "" });
    }
  });

  test("what a terminal would act on is not repeated as it is", async () => {
    const { stderr } = await rig.run(["write", "--\u001b[31m\u202e", "\u200b"]);
    expect(stderr).toContain("\\u{1b}[31m\\u{202e}");
    expect(stderr).not.toContain("\u001b");
  });

  test("a group alone explains itself, and help that was asked for ends with 0", async () => {
    expect(await rig.run(["adapters"])).toMatchObject({ code: 2, stdout: "" });
    const help = await rig.run(["help", "write"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("Usage: connectors write");
    expect((await rig.run([])).stdout).toContain("Usage: connectors [options]");
    expect((await rig.run(["--version"])).stdout).toMatch(/^connectors \d/);
  });
});
