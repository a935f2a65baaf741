import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCommandRig, type CommandRig } from "../testing/command-rig.js";
import { connectorsPath, plainEnvironment } from "../testing/run-command.js";

let rig: CommandRig;

beforeAll(async () => {
  rig = await openCommandRig();
  const program = rig.write(
    "connectors",
    `#!/bin/sh\nexec '${process.execPath}' '${connectorsPath}' "$@"\n`,
  );
  chmodSync(program, 0o700);
});
afterAll(() => rig.close());

async function wordsFor(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout, code } = await rig.run(["complete", "--", ...words]);
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "")
    .filter((word) => word !== "" && !word.startsWith(":"));
}

/** What bash would offer for a command line whose last word is being typed. */
function offeredByBash(line: readonly string[]): readonly string[] {
  const words = line.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const script = [
    "source <(connectors completion bash)",
    "source <(connectors completion bash)",
    `COMP_WORDS=(${words})`,
    `COMP_CWORD=${line.length - 1}`,
    "_connectors",
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  const { stdout, stderr } = spawnSync("/bin/bash", ["--norc", "-c", script.join("\n")], {
    cwd: rig.folder,
    env: plainEnvironment({
      PATH: `${rig.folder}:${process.env["PATH"] ?? ""}`,
      CONNECTORS_STATE: rig.state,
    }),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe("completion", () => {
  test("offers commands, adapters, operations, flags, and what flags take", async () => {
    expect(await wordsFor("wr")).toEqual(["write"]);
    expect(await wordsFor("adapters", "")).toContain("check");
    expect(await wordsFor("adapters", "check", "")).toEqual(["dev"]);
    expect(await wordsFor("write", "dev/")).toEqual([
      "dev/deployment.rollout_restart",
      "dev/pods.exec",
    ]);
    expect(await wordsFor("read", "")).toEqual(["dev/deployments.get"]);
    expect(await wordsFor("write", "--pr")).toEqual(["--prepared", "--proof"]);
    expect(await wordsFor("write", "-o", "")).toEqual(["text", "json", "jsonl"]);
    expect(await wordsFor("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  test("offers nothing of what comes later, and nothing where there is no state", async () => {
    const commands = await wordsFor("");
    for (const later of ["serve", "requests", "approver"]) expect(commands).not.toContain(later);
    const environment = { CONNECTORS_STATE: rig.file("nowhere") };
    const none = await rig.run(["complete", "--", "write", ""], { environment });
    expect(none.stdout).toBe(":4\n");
  });

  test.each(["bash", "zsh", "fish"])("prints a script for %s", async (shell) => {
    const { stdout, stderr, code } = await rig.run(["completion", shell]);
    expect(stdout).toContain("connectors complete -- ");
    expect(stdout.split("\n")[0]).toContain(shell === "zsh" ? "connectors" : shell);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });
});

describe.runIf(existsSync("/bin/bash"))("in bash, sourced twice", () => {
  test("completes commands, operations and what a flag takes", () => {
    expect(offeredByBash(["connectors", "prep"])).toEqual(["prepare"]);
    expect(offeredByBash(["connectors", "write", "dev/p"])).toEqual(["dev/pods.exec"]);
    expect(offeredByBash(["connectors", "read", "-o", "jsonl", ""])).toContain(
      "dev/deployments.get",
    );
    expect(offeredByBash(["connectors", "init", "--output", "=", "js"])).toEqual(["json", "jsonl"]);
  });

  test("runs nothing of what was typed", () => {
    offeredByBash(["connectors", "write", `$(touch '${rig.file("ran")}')`, "`touch ran`", ""]);
    expect(existsSync(rig.file("ran"))).toBe(false);
  });
});
