import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf, openBareRig, type CommandRig } from "../testing/command-rig.js";
import type { Running } from "../testing/run-command.js";

let rig: CommandRig;

beforeAll(async () => {
  rig = await openBareRig();
});
afterAll(() => rig.close());

async function whenUp(running: Running): Promise<string> {
  await expect.poll(() => running.stdout(), { timeout: 20_000 }).toContain("\n");
  return running.stdout().trimEnd();
}

describe("simulate", () => {
  test("runs until it is told to end, with a kubeconfig of its own that it removes", async () => {
    const running = rig.start(["simulate"]);
    const file = await whenUp(running);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    await rig.run(["init"]);
    const add = ["adapters", "add", "kubernetes", "sim", "--kubeconfig", file];
    expect((await rig.run([...add, "--namespaces", "web"])).code).toBe(0);
    expect((await rig.run(["read", "sim/deployments.get", "-n", "web", "name=api"])).code).toBe(0);
    running.kill("SIGTERM");
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stderr).toContain("a simulated cluster at https://127.0.0.1:");
    expect(ended.stderr).toContain(`--kubeconfig ${file} --namespaces web`);
    expect(existsSync(dirname(file))).toBe(false);
  });

  test("leaves a kubeconfig that was named, replaces its own, and nobody else's", async () => {
    const file = rig.file("named.yaml");
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const running = rig.start(["simulate", "--kubeconfig", file, "-q", "-o", "json"]);
      const { kubeconfig, url } = JSON.parse(await whenUp(running)) as Record<string, string>;
      expect(kubeconfig).toBe(file);
      running.kill(signal);
      expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(file, "utf8")).toContain(url);
    }
    const theirs = rig.write("theirs.yaml", "apiVersion: v1\nkind: Config\n");
    const refused = await rig.run(["simulate", "--kubeconfig", theirs, "-o", "json"]);
    expect(failureOf(refused)).toMatchObject({ code: "lifecycle_conflict" });
    expect(refused.code).toBe(1);
    expect(readFileSync(theirs, "utf8")).toBe("apiVersion: v1\nkind: Config\n");
  });

  test("says that a port is taken, or is none", async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const taken = await rig.run(["simulate", "--port", String(port), "-o", "json"]);
    server.close();
    expect(failureOf(taken)).toMatchObject({ code: "unavailable", effect: "none" });
    expect(failureOf(taken).message).toContain(`port ${port}`);
    expect(taken.code).toBe(1);
    expect((await rig.runHere(["simulate", "--port", "65536"])).code).toBe(2);
  });

  test("refuses a seed and a fault script that are none, with the place that is wrong", async () => {
    const seed = rig.write("seed.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: UPPER}");
    const refused = await rig.run(["simulate", "--seed", seed, "-o", "json"]);
    expect(failureOf(refused)).toMatchObject({ code: "invalid_input", effect: "none" });
    expect(failureOf(refused).message).toContain("UPPER");
    expect(refused.code).toBe(1);
    const faults = rig.write("faults.json", '{"format":"x/1","rules":[]}');
    const ended = await rig.run(["simulate", "--faults", faults, "-o", "json"]);
    expect(failureOf(ended)).toMatchObject({ code: "invalid_input", effect: "none" });
    expect(failureOf(ended).message).toContain("format");
    expect(ended.code).toBe(1);
  });
});
