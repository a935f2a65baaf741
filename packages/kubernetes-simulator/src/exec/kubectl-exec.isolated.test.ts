import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { defaultSeed } from "../default-seed.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { findKubectl, runKubectl, type KubectlRun } from "../testing/kubectl.js";

// The real kubectl's exec, unchanged: what it prints and exits with when all is well, and when not.

const kubectl = findKubectl(process.env);
if (kubectl === undefined) {
  process.stderr.write("no kubectl here: set KUBECTL; its exec is not tried\n");
}

describe.skipIf(kubectl === undefined)("kubectl exec", () => {
  let folder: string;
  let simulator: Simulator;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "simulator-exec-"));
    simulator = await openSimulator({ seed: defaultSeed() });
    writeFileSync(join(folder, "config"), simulator.kubeconfig(), { mode: 0o600 });
  });

  afterAll(async () => {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const exec = async (argv: readonly string[], stdin?: string): Promise<KubectlRun> => {
    if (kubectl === undefined) throw new Error("skipped without a kubectl");
    const options = {
      kubeconfigPath: join(folder, "config"),
      cachePath: join(folder, "cache"),
      ...(stdin === undefined ? {} : { stdin }),
    };
    const input = stdin === undefined ? [] : ["-i"];
    return await runKubectl(kubectl, options, [
      "-n",
      "web",
      "exec",
      ...input,
      "deploy/api",
      ...argv,
    ]);
  };
  const shell = (script: string): Promise<KubectlRun> => exec(["--", "sh", "-c", script]);

  const started = async (script: string): Promise<void> => {
    await expect
      .poll(() => simulator.commands().some(({ command }) => command.includes(script)), {
        timeout: 20_000,
      })
      .toBe(true);
  };

  test("prints what a command writes and exits as it does", async () => {
    expect(await shell("echo a; echo b >&2; exit 3")).toEqual({
      exitCode: 3,
      stdout: "a\n",
      stderr: "b\ncommand terminated with exit code 3\n",
    });
    expect((await shell("kill -9 $$")).exitCode).toBe(137);
    expect((await exec(["--", "id"])).stdout).toBe("uid=0(root) gid=0 groups=0\n");
  });

  test("says what the runtime says of a program that is not there", async () => {
    const { exitCode, stderr } = await exec(["--", "nosuch"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/exec: "nosuch": executable file not found in \$PATH: unknown\n$/u);
  });

  test("hands stdin over to its end", async () => {
    const input = "line\n".repeat(20_000);
    expect((await exec(["--", "cat"], input)).stdout).toBe(input);
    expect(await exec(["--", "sh"], "echo a\nnosuch\nexit 4\n")).toMatchObject({
      exitCode: 4,
      stdout: "a\n",
    });
  });

  test("exits 0 when the node is lost in the middle of a command", async () => {
    const script = "echo a; sleep 600; echo b";
    const running = shell(script);
    await started(script);
    simulator.killKubelet();
    expect(await running).toEqual({ exitCode: 0, stdout: "a\n", stderr: "" });
    const record = simulator.commands().find(({ command }) => command.includes(script));
    expect(record?.exitCode).toBeUndefined();
    simulator.restoreKubelet();
  });

  test("does not get through to a node that is lost already", async () => {
    simulator.killKubelet();
    const { exitCode, stderr } = await shell("echo a");
    simulator.restoreKubelet();
    expect(exitCode).toBe(1);
    expect(stderr).toContain("connect: connection refused");
  });

  test("ends when its Pod is deleted", async () => {
    const script = "echo c; sleep 601";
    const running = shell(script);
    await started(script);
    const pod = simulator.commands().find(({ command }) => command.includes(script))?.pod ?? "";
    if (kubectl === undefined) return;
    await runKubectl(
      kubectl,
      { kubeconfigPath: join(folder, "config"), cachePath: join(folder, "cache") },
      ["-n", "web", "delete", "pod", pod, "--grace-period=0", "--force", "--wait=false"],
    );
    expect(await running).toMatchObject({ exitCode: 137, stdout: "c\n" });
  });
});
