import { afterEach, describe, expect, test } from "vitest";

import type { StreamAct, StreamMoment } from "../faults/exec-fault.js";
import type { FaultRule } from "../faults/fault.js";
import { channelText, openExecClient, type ExecClient, type Seen } from "../testing/exec-client.js";
import { openExecRig, type ExecRig, type ExecRigOptions } from "../testing/exec-rig.js";

// Who says what when something dies under a command, as seen on a v1.35.4 cluster: one table for
// each offer. The command writes `a` and would write `b` much later.

const V4 = ["v4.channel.k8s.io"];
const V5 = ["v5.channel.k8s.io"];
const COMMAND = ["sh", "-c", "echo a; sleep 600; echo b"];
const SUCCESS = '{"metadata":{},"status":"Success"}';

let rig: ExecRig;

afterEach(async () => {
  await rig.close();
});

async function openRig(options?: ExecRigOptions): Promise<void> {
  rig = await openExecRig(options);
}

async function startCommand(offer: readonly string[]): Promise<ExecClient> {
  const client = openExecClient(rig, { command: COMMAND, offer });
  await client.until((seen) => channelText(seen, 1) === "a\n");
  return client;
}

function fault(
  acts: readonly StreamAct[],
  when: StreamMoment = { at: "messages", count: 1 },
): FaultRule {
  return { match: {}, fault: { kind: "exec_stream", when, acts } };
}

function statusOf(seen: Seen): string {
  return channelText(seen, 3);
}

describe("the kubelet is lost in the middle of a command", () => {
  test("v4 ends without a status and without a close", async () => {
    await openRig();
    const client = await startCommand(V4);
    rig.setKubelet("lost");
    const seen = await client.ended();
    expect([channelText(seen, 1), statusOf(seen), seen.closeCode]).toEqual(["a\n", "", 1006]);
  });

  test("v5 ends with a Success that nobody sent, byte for byte like a true one", async () => {
    await openRig();
    const client = await startCommand(V5);
    rig.setKubelet("lost");
    const seen = await client.ended();
    expect([channelText(seen, 1), statusOf(seen), seen.closeCode]).toEqual(["a\n", SUCCESS, 1000]);
  });

  test("the command itself goes on", async () => {
    await openRig();
    const client = await startCommand(V5);
    rig.setKubelet("lost");
    await client.ended();
    expect(rig.service.runningCount()).toBe(1);
    expect(rig.service.commands()).toMatchObject([{ command: COMMAND, pod: "p", user: "ada" }]);
    expect(rig.service.commands()[0]?.exitCode).toBeUndefined();
  });

  test("a script of faults does the same at its moment", async () => {
    await openRig({ rules: [fault([{ act: "kubelet_lost" }])] });
    const v4 = await openExecClient(rig, { command: COMMAND, offer: V4 }).ended();
    expect([channelText(v4, 1), statusOf(v4), v4.closeCode]).toEqual(["a\n", "", 1006]);
    await rig.close();
    await openRig({ rules: [fault([{ act: "kubelet_lost" }])] });
    const v5 = await openExecClient(rig, { command: COMMAND, offer: V5 }).ended();
    expect([channelText(v5, 1), statusOf(v5), v5.closeCode]).toEqual(["a\n", SUCCESS, 1000]);
  });
});

describe("the kubelet is lost before the command", () => {
  const refused = "dial tcp 127.0.0.1:10250: connect: connection refused";

  test("v4 is answered 500 before any switch", async () => {
    await openRig();
    rig.setKubelet("lost");
    const seen = await openExecClient(rig, { command: ["id"], offer: V4 }).ended();
    expect(seen.answered?.status).toBe(500);
    expect(JSON.parse(seen.answered?.body ?? "")).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `error dialing backend: ${refused}`,
      code: 500,
    });
    expect(rig.service.commands()).toEqual([]);
  });

  test("v5 switches and then says InternalError", async () => {
    await openRig();
    rig.setKubelet("lost");
    const seen = await openExecClient(rig, { command: ["cat", "a b"], offer: V5 }).ended();
    const url = "https://simulator:10250/exec/web/p/c?command=cat&command=a+b&error=1&output=1";
    const why = `error sending request: Post "${url}": ${refused}`;
    expect(JSON.parse(statusOf(seen))).toEqual({
      metadata: {},
      status: "Failure",
      message: `Internal error occurred: ${why}`,
      reason: "InternalError",
      details: { causes: [{ message: why }] },
      code: 500,
    });
    expect(seen.closeCode).toBe(1000);
    expect(rig.service.commands()).toEqual([]);
  });

  test("a broken handshake can say the same of one exec alone", async () => {
    await openRig({
      rules: [{ match: {}, fault: { kind: "exec_handshake", break: "kubelet_lost" } }],
    });
    const first = await openExecClient(rig, { command: ["true"], offer: V4 }).ended();
    const second = await openExecClient(rig, { command: ["true"], offer: V4 }).ended();
    expect([first.answered?.status, statusOf(second)]).toEqual([500, SUCCESS]);
  });
});

describe.each([
  ["v4", V4],
  ["v5", V5],
])("under %s", (_name, offer) => {
  test("the API server's end leaves the output, no status and no close", async () => {
    await openRig({
      rules: [fault([{ act: "api_server_killed" }], { at: "elapsed", ms: 20 })],
    });
    const seen = await openExecClient(rig, { command: COMMAND, offer }).ended();
    expect([channelText(seen, 1), statusOf(seen), seen.closeCode]).toEqual(["a\n", "", 1006]);
  });

  test("the main process's end is a 137 at once", async () => {
    await openRig({ rules: [fault([{ act: "container_killed" }])] });
    const seen = await openExecClient(rig, { command: COMMAND, offer }).ended();
    expect(JSON.parse(statusOf(seen))).toMatchObject({
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "137" }] },
    });
    expect(rig.service.commands()).toMatchObject([{ exitCode: 137 }]);
  });

  test("the shim's end is an InternalError that names it", async () => {
    await openRig({ rules: [fault([{ act: "runtime_lost" }])] });
    const seen = await openExecClient(rig, { command: COMMAND, offer }).ended();
    const status: unknown = JSON.parse(statusOf(seen));
    expect(status).toMatchObject({ reason: "InternalError", code: 500 });
    expect(statusOf(seen)).toContain(": ttrpc: closed: unknown");
  });

  test("the Pod's removal ends the command by 137", async () => {
    await openRig();
    const client = await startCommand(offer);
    rig.deletePod();
    const seen = await client.ended();
    expect(statusOf(seen)).toContain('"reason":"ExitCode","message":"137"');
    expect(rig.service.runningCount()).toBe(0);
  });

  test("a Pod that is removed already has nothing to run in", async () => {
    await openRig();
    rig.deletePod();
    const seen = await openExecClient(rig, { command: COMMAND, offer }).ended();
    expect(statusOf(seen)).toContain('"reason":"ExitCode","message":"137"');
  });

  test("a container that does not run is not found", async () => {
    await openRig();
    rig.setContainerRunning(false);
    const seen = await openExecClient(rig, { command: COMMAND, offer }).ended();
    const said = seen.answered?.body ?? statusOf(seen);
    expect(said).toContain(offer === V4 ? 'container not found ("c")' : "unable to upgrade");
    expect(seen.answered?.status).toBe(offer === V4 ? 500 : undefined);
  });

  test("a shell that kills itself is heard of when its child has ended too", async () => {
    await openRig();
    const command = ["sh", "-c", "sleep 0.05 & echo a; kill -9 $$"];
    const seen = await openExecClient(rig, { command, offer }).ended();
    expect(statusOf(seen)).toContain('"message":"137"');
  });
});
