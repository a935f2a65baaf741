import { readFileSync } from "node:fs";
import { openSimulator } from "@connectors/kubernetes-simulator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerOf,
  bothWrites,
  failureOf,
  openCommandRig,
  restartNow,
  type CommandRig,
} from "../testing/command-rig.js";

let rig: CommandRig;

beforeAll(async () => {
  rig = await openCommandRig();
});
afterAll(() => rig.close());

const json = ["-o", "json"];
const target = { namespace: "web", name: "api", uid: "u", resource_version: "1" };
const stale = ["dev/deployment.rollout_restart", "--input", JSON.stringify(target)];

/** Runs a command that must send nothing. */
async function runUnsent(args: readonly string[]): ReturnType<CommandRig["run"]> {
  const before = rig.requests();
  const ended = await rig.run(args);
  expect(rig.requests()).toBe(before);
  return ended;
}

async function addAgain(...flags: readonly string[]): Promise<void> {
  const add = ["adapters", "add", "kubernetes", "dev", "--kubeconfig", rig.file("cluster.yaml")];
  const { code, stderr, stdout } = await rig.runHere([...add, ...flags]);
  if (code !== 0) throw new Error(stdout + stderr);
}

/** Does something while the adapter's kubeconfig says something else. */
async function whileKubeconfigIs(text: string, act: () => Promise<void>): Promise<void> {
  const before = readFileSync(rig.file("cluster.yaml"), "utf8");
  expect(text).not.toBe(before);
  rig.write("cluster.yaml", text);
  try {
    await act();
  } finally {
    rig.write("cluster.yaml", before);
  }
}

/** A kubeconfig of the rig's own cluster, for the user that has this token. */
function kubeconfigOf(token: string): string {
  const { url, caPem } = rig.simulator;
  const ca = Buffer.from(caPem).toString("base64");
  return JSON.stringify({
    contexts: [{ name: "simulator", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: url, "certificate-authority-data": ca } }],
    users: [{ name: "u", user: { token } }],
  });
}

describe("a write that was made before", () => {
  test("answers again without a terminal, a proof, or a request", async () => {
    const write = await rig.approved("replay.json", restartNow);
    expect((await rig.run(write)).code).toBe(0);
    const bare = ["write", "--prepared", rig.file("replay.json"), ...json];
    const again = await runUnsent(bare);
    expect(answerOf(again)).toMatchObject({ classification: "applied", replayed: true });
    expect(again.code).toBe(0);
  });

  test("is a conflict when its key is used for something else", async () => {
    const { key } = JSON.parse(readFileSync(rig.file("replay.json"), "utf8")) as { key: string };
    const write = await rig.approved("conflict.json", [...stale, "--key", key]);
    const ended = await runUnsent(write);
    expect(answerOf(ended).failure?.code).toBe("idempotency_conflict");
    expect(ended.code).toBe(1);
  });

  test("without a key is not made again: its proof is spent", async () => {
    const where = ["dev/pods.exec", "namespace=web", `pod=${rig.podName()}`, "container=app"];
    const write = await rig.approved("once.json", [...where, "--", "true"]);
    expect((await rig.run(write)).code).toBe(0);
    const before = rig.simulator.commands().length;
    const ended = await rig.run(write);
    expect(answerOf(ended).failure).toMatchObject({
      code: "approval_replayed",
      retry: "after_check",
    });
    expect(answerOf(ended).failure?.hint).toContain("connectors attempts explain");
    expect(rig.simulator.commands().length).toBe(before);
    expect(ended.code).toBe(1);
  });
});

describe("between approval and commit", () => {
  test("a version that has moved on is refused, and the answer says which was approved", async () => {
    const read = await rig.runHere([
      "read",
      "dev/deployments.get",
      "-n",
      "web",
      "name=api",
      ...json,
    ]);
    const { uid } = JSON.parse(read.stdout) as { uid: string };
    const write = await rig.approved("moved.json", [
      "dev/deployment.rollout_restart",
      "--input",
      JSON.stringify({ ...target, uid }),
    ]);
    const text = await rig.run(write.filter((word) => word !== "-o" && word !== "json"));
    expect(text.stdout).toBe("refused: deployment web/api: invalid_input at response\n");
    expect(text.stderr).toContain("next: Version 1 was approved, and it has moved on");
    expect(text.code).toBe(1);
  });

  test("another configuration makes the description stale, with no request", async () => {
    const write = await rig.approved("stale.json", stale);
    await addAgain("--namespaces", "web,batch", "--allow", "deployment.rollout_restart,pods.exec");
    const ended = await runUnsent(write);
    expect(failureOf(ended)).toMatchObject({ code: "stale_description", effect: "none" });
    expect(ended.code).toBe(1);
    await addAgain(...bothWrites);
  });

  test("a proxy that the kubeconfig names by now makes it stale, with no request", async () => {
    const write = await rig.approved("proxied.json", stale);
    const kubeconfig = readFileSync(rig.file("cluster.yaml"), "utf8");
    const proxied = kubeconfig.replace(/^(\s+)server:/m, "$1proxy-url: http://127.0.0.1:9\n$&");
    await whileKubeconfigIs(proxied, async () => {
      const ended = await runUnsent(write);
      expect(failureOf(ended)).toMatchObject({ code: "stale_description" });
      expect(ended.code).toBe(1);
    });
  });

  test("a kubeconfig that points elsewhere is an identity mismatch, and nobody is asked", async () => {
    const write = await rig.approved("elsewhere.json", stale);
    await using elsewhere = await openSimulator({});
    await whileKubeconfigIs(elsewhere.kubeconfig(), async () => {
      const ended = await runUnsent(write);
      expect(answerOf(ended)).toMatchObject({
        classification: "not_attempted",
        failure: { code: "identity_mismatch", effect: "none" },
        cause: { stage: "connection" },
      });
      expect(ended.code).toBe(1);
    });
    expect(elsewhere.requests()).toHaveLength(0);
  });

  test("another user there is an identity mismatch, and only who it is was asked", async () => {
    const write = await rig.approved("other-user.json", stale);
    const { token } = await rig.simulator.addUser({ name: "mallory" });
    const before = rig.requests();
    await whileKubeconfigIs(kubeconfigOf(token), async () => {
      const ended = await rig.run(write);
      expect(answerOf(ended).failure?.code).toBe("identity_mismatch");
      expect(ended.code).toBe(1);
    });
    const asked = rig.simulator.requests().slice(before);
    expect(asked.map(({ path }) => path)).toEqual([
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    ]);
  });

  test("another policy makes the approval void, and one that does not allow it refuses", async () => {
    const write = await rig.approved("policy.json", stale);
    const shown = await rig.runHere(["policy", "show", "-q"]);
    const policy = JSON.parse(shown.stdout) as { rules: readonly unknown[] };
    const wider = rig.write("wider.json", JSON.stringify({ ...policy, id: "wider" }));
    expect((await rig.runHere(["policy", "set", wider])).code).toBe(0);
    const changed = await runUnsent(write);
    expect(answerOf(changed).failure).toMatchObject({
      code: "approval_refused",
      reason: "policy_changed",
    });
    expect(changed.code).toBe(1);

    const empty = rig.write("empty.json", JSON.stringify({ ...policy, rules: [] }));
    expect((await rig.runHere(["policy", "set", empty])).code).toBe(0);
    for (const args of [write, ["write", ...stale, ...json], ["prepare", ...stale, ...json]]) {
      const denied = await runUnsent(args);
      expect(failureOf(denied)).toMatchObject({ code: "forbidden", effect: "none" });
      expect(failureOf(denied).hint).toContain("connectors policy show");
      expect(denied.code).toBe(1);
    }
    const tested = await runUnsent(["policy", "test", rig.file("policy.json")]);
    expect(tested).toMatchObject({ code: 1 });
    expect(tested.stdout).toBe("denied\nIt was frozen under another policy: prepare it again.\n");
  });

  test("an operation that was turned off is forbidden, with the flag that turns it on", async () => {
    await addAgain("--namespaces", "web");
    const ended = await runUnsent(["write", ...stale, ...json]);
    expect(failureOf(ended)).toMatchObject({ code: "forbidden" });
    expect(failureOf(ended).hint).toContain("--allow deployment.rollout_restart");
    expect(ended.code).toBe(1);
  });
});
