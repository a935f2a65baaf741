import { createServer, type AddressInfo, type Socket } from "node:net";
import { openSimulator, type FaultRule } from "@connectors/kubernetes-simulator";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
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
afterEach(() => rig.simulator.faults.use([]));

const json = ["-o", "json"];
const review = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

function writesMade(): number {
  return rig.simulator.requests().filter(({ method }) => method === "PATCH").length;
}

/** `adapters add` of a cluster at this place. */
function add(kubeconfig: string): ReturnType<CommandRig["run"]> {
  const file = rig.write("other.yaml", kubeconfig);
  const words = ["adapters", "add", "kubernetes", "other", "--kubeconfig", file];
  return rig.runHere([...words, ...bothWrites, ...json]);
}

async function withServer<T>(
  handle: (socket: Socket) => void,
  act: (port: number) => Promise<T>,
): Promise<T> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    handle(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    return await act((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const kubeconfigAt = (port: number): string =>
  rig.simulator.kubeconfig().replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);

describe("a cluster that cannot be used is told, and nothing is written", () => {
  async function refusesToAdd(kubeconfig: string, code: string, says = /./): Promise<void> {
    const ended = await add(kubeconfig);
    const failure = failureOf(ended);
    expect(failure).toMatchObject({ code, effect: "none" });
    expect(failure.message).toMatch(says);
    expect(failure.hint).not.toBe("");
    expect(ended.code).toBe(1);
    const listed = await rig.runHere(["adapters", "list", ...json]);
    expect(listed.stdout).not.toContain('"other"');
  }

  test("nobody listens", async () => {
    const port = await withServer(
      () => undefined,
      (free) => Promise.resolve(free),
    );
    await refusesToAdd(kubeconfigAt(port), "unavailable");
  });

  test("it speaks no TLS", async () => {
    await withServer(
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
      (port) => refusesToAdd(kubeconfigAt(port), "unavailable"),
    );
  });

  test("it hangs up", async () => {
    await withServer(
      (socket) => socket.destroy(),
      (port) => refusesToAdd(kubeconfigAt(port), "unavailable"),
    );
  });

  test("it is not the one that the CA vouches for", async () => {
    await using other = await openSimulator({});
    const ca = /certificate-authority-data: .*/;
    const theirs = ca.exec(other.kubeconfig())?.[0] ?? "";
    const kubeconfig = rig.simulator.kubeconfig().replace(ca, theirs);
    await refusesToAdd(kubeconfig, "unavailable");
  });

  test("the client certificate has expired, or is not valid yet", async () => {
    for (const clientCertificate of ["expired", "not_yet_valid"] as const) {
      await rig.simulator.addUser({ name: clientCertificate, clientCertificate });
      const kubeconfig = rig.simulator.kubeconfig(clientCertificate).replace(/^ *token: .*\n/m, "");
      const ended = await add(kubeconfig);
      expect(failureOf(ended).effect).toBe("none");
      expect(["unauthorized", "unavailable"]).toContain(failureOf(ended).code);
      expect(ended.code).toBe(1);
    }
  });

  test.each<[string, string, number, string]>([
    ["no identity", "unauthorized", 401, "{}"],
    ["a page of a proxy", "upstream_protocol", 200, "<html>login</html>"],
    ["a redirection", "upstream_protocol", 302, ""],
    ["a Status of success", "upstream_protocol", 201, '{"kind":"Status","apiVersion":"v1"}'],
    ["too many requests", "rate_limited", 429, "{}"],
    ["an error of its own", "unavailable", 500, "{}"],
    ["more than anybody asked for", "capacity", 201, "x".repeat(2 * 1024 * 1024)],
  ])("it answers with %s", async (_, code, status, body) => {
    const headers = { location: "https://127.0.0.1:1/", "content-type": "application/json" };
    rig.simulator.faults.use([
      {
        match: { pathPattern: review, times: "always" },
        fault: { kind: "answer", answer: { status, headers, body } },
      },
    ]);
    const ended = await add(rig.simulator.kubeconfig());
    expect(failureOf(ended)).toMatchObject({ code, effect: "none" });
    expect(ended.stdout + ended.stderr).not.toContain("login");
    expect(ended.code).toBe(1);
  });

  test.each([
    ["is not there", null, "unavailable"],
    ["is no YAML", "a: b: c", "invalid_input"],
    ["has no such context", "apiVersion: v1\nkind: Config\n", "invalid_input"],
    ["wants plain http", "server: http://127.0.0.1:1", "invalid_input"],
  ])("its kubeconfig %s", async (_, text, code) => {
    const whole =
      text?.startsWith("server") === true
        ? rig.simulator.kubeconfig().replace(/server: .*/, text)
        : text;
    if (whole !== null) return refusesToAdd(whole, code);
    const words = ["adapters", "add", "kubernetes", "other", "--kubeconfig", rig.file("none.yaml")];
    const ended = await rig.runHere([...words, ...bothWrites, ...json]);
    expect(failureOf(ended)).toMatchObject({ code, effect: "none" });
    expect(ended.code).toBe(1);
  });
});

describe("before the gate, whatever the cluster does, nothing was attempted", () => {
  test.each<[string, FaultRule["fault"], string]>([
    ["is slow", { kind: "half_open" }, "timeout"],
    ["hangs up", { kind: "drop_before_commit" }, "unavailable"],
    ["resets", { kind: "reset" }, "unavailable"],
    [
      "lies",
      { kind: "answer", answer: { status: 201, headers: {}, body: "[]" } },
      "upstream_protocol",
    ],
  ])("when it %s", async (what, fault, code) => {
    const where = ["dev/pods.exec", "namespace=web", `pod=${rig.podName()}`, "container=app"];
    const file = `before ${what}.json`;
    const write = await rig.approved(file, [...where, "timeout_seconds=1", "--", "true"]);
    rig.simulator.faults.use([{ match: { times: "always" }, fault }]);
    const commands = rig.simulator.commands().length;
    const ended = await rig.run([...write, "--deadline", "2s"]);
    expect(answerOf(ended)).toMatchObject({
      classification: "not_attempted",
      failure: { code, effect: "none" },
    });
    expect(ended.code).toBe(1);
    expect(rig.simulator.commands().length).toBe(commands);
  });

  test("a restart that RBAC does not allow is said so before the gate", async () => {
    const { token } = await rig.simulator.addUser({
      name: "reader",
      rules: [{ verbs: ["get"], groups: ["apps"], resources: ["deployments"] }],
    });
    rig.write("reader.token", token);
    rig.write("ca.pem", rig.simulator.caPem);
    const server = ["--server", rig.simulator.url, "--ca-file", "ca.pem"];
    const words = ["adapters", "add", "kubernetes", "reader", ...server];
    const added = await rig.run([...words, "--token-file", "reader.token", ...bothWrites]);
    expect(added.stdout).toContain("warn deployment.rollout_restart in web: patch on deployments");
    expect(added.code).toBe(0);
    const args = ["reader/deployment.rollout_restart", ...restartNow.slice(1)];
    const checked = await rig.run(["prepare", ...args, "--check", ...json]);
    expect(failureOf(checked)).toMatchObject({ code: "forbidden" });
    expect(failureOf(checked).message).toContain("patch on deployments");
    const before = writesMade();
    const ended = await rig.run(await rig.approved("reader.json", args));
    expect(answerOf(ended)).toMatchObject({
      classification: "not_attempted",
      failure: { code: "forbidden" },
    });
    expect(ended.code).toBe(1);
    expect(writesMade()).toBe(before);
  });
});

describe("after the gate, what is not proved is unknown", () => {
  test("an answer that is lost ends with 3, and the same write again sends nothing", async () => {
    const write = await rig.approved("lost.json", restartNow);
    const before = writesMade();
    rig.simulator.faults.use([
      { match: { method: "PATCH" }, fault: { kind: "drop_after_commit" } },
    ]);
    const ended = await rig.run(write);
    const { classification, failure, attempt } = answerOf(ended);
    expect(classification).toBe("unknown");
    expect(failure).toMatchObject({ code: "outcome_unknown", retry: "after_check" });
    expect(failure?.hint).toContain("connectors read dev/deployments.get");
    expect(ended.code).toBe(3);
    const again = await rig.run(write);
    expect(answerOf(again)).toMatchObject({ classification: "unknown" });
    expect(again.code).toBe(3);
    expect(writesMade()).toBe(before + 1);
    const explained = await rig.run(["attempts", "explain", attempt?.id ?? ""]);
    expect(explained.stdout).toContain("connectors read dev/deployments.get namespace=NAMESPACE");
    expect(explained.stdout).toContain(`Audit-ID ${attempt?.id}`);
    expect(explained.code).toBe(0);
  });

  test("a node lost in the middle of a command ends with 3, and says what was seen", async () => {
    const where = ["dev/pods.exec", "namespace=web", `pod=${rig.podName()}`, "container=app"];
    const write = await rig.approved("node.json", [...where, "--", "sh", "-c", "echo 1; echo 2"]);
    rig.simulator.faults.use([
      {
        match: { pathPattern: "*/exec" },
        fault: {
          kind: "exec_stream",
          when: { at: "messages", count: 1 },
          acts: [{ act: "kubelet_lost" }],
        },
      },
    ]);
    const ended = await rig.run(write);
    expect(answerOf(ended)).toMatchObject({ classification: "unknown", result: null });
    expect(answerOf(ended).observed?.stdout).toContain("1\n");
    expect(ended.code).toBe(3);
  });
});
