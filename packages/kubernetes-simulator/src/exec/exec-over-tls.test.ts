import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { defaultSeed } from "../default-seed.js";
import type { FaultRule } from "../faults/fault.js";
import { openSimulator, type Simulator } from "../simulator.js";

// The whole simulator: TLS, a token, a real Pod; what only holds there.

interface End {
  readonly status: number | undefined;
  readonly body: string;
  readonly output: string;
  readonly error: string | undefined;
  readonly closeCode: number;
}

let simulator: Simulator;
let pod: string;

beforeAll(async () => {
  simulator = await openSimulator({ seed: defaultSeed() });
  pod = simulator.objects.list("", "pods", "web")[0]?.metadata.name ?? "";
});

afterEach(() => {
  simulator.faults.use([]);
});

afterAll(async () => {
  await simulator.close();
});

async function exec(command: readonly string[]): Promise<End> {
  const query = new URLSearchParams({ container: "app", stdout: "true" });
  for (const element of command) query.append("command", element);
  const path = `/api/v1/namespaces/web/pods/${pod}/exec?${query.toString()}`;
  const socket = new WebSocket(
    simulator.url.replace("https", "wss") + path,
    ["v4.channel.k8s.io"],
    {
      ca: simulator.caPem,
      headers: { Authorization: `Bearer ${simulator.admin.token}` },
      perMessageDeflate: false,
    },
  );
  let output = "";
  let error: string | undefined;
  socket.on("message", (data: Buffer) => (output += data.subarray(1).toString()));
  socket.on("error", (cause) => (error = cause.message));
  return await new Promise((resolve) => {
    socket.on("close", (closeCode) => {
      resolve({ status: undefined, body: "", output, error, closeCode });
    });
    socket.on("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => {
        resolve({ status: response.statusCode, body, output, error, closeCode: 0 });
      });
    });
  });
}

const EXEC = { pathPattern: "/api/v1/namespaces/*/pods/*/exec" };

describe("an exec on the whole simulator", () => {
  test("is served, and its command is on record", async () => {
    const end = await exec(["hostname"]);
    expect([end.output, end.closeCode]).toEqual([
      `${pod}\n{"metadata":{},"status":"Success"}`,
      1000,
    ]);
    expect(simulator.commands().at(-1)).toMatchObject({
      pod,
      namespace: "web",
      container: "app",
      command: ["hostname"],
      user: "admin",
      exitCode: 0,
    });
    expect(simulator.requests().at(-1)).toMatchObject({ status: 101 });
  });

  test.each([200, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503])(
    "is answered %d when a script says so, and runs nothing",
    async (status) => {
      const before = simulator.commands().length;
      const rule: FaultRule = {
        match: EXEC,
        fault: { kind: "answer", answer: { status, headers: {}, body: "no" } },
      };
      simulator.faults.use([rule]);
      const end = await exec(["true"]);
      expect([end.status, end.body]).toEqual([status, "no"]);
      expect(simulator.commands().length).toBe(before);
    },
  );

  test("ends by an RST before and after the switch", async () => {
    simulator.faults.use([
      { match: EXEC, fault: { kind: "exec_handshake", break: "reset" } },
      {
        match: { ...EXEC, nth: 2 },
        fault: { kind: "exec_stream", when: { at: "switch" }, acts: [{ act: "reset" }] },
      },
    ]);
    expect(await exec(["true"])).toMatchObject({ error: expect.stringMatching(/ECONNRESET/u) });
    expect((await exec(["true"])).closeCode).toBe(1006);
    expect(simulator.faults.strikes()).toEqual([1, 1]);
  });

  test("strikes one user's command and no other", async () => {
    simulator.faults.use([
      {
        match: { user: "admin", command: ["id"], times: "always" },
        fault: { kind: "exec_handshake", break: "cut" },
      },
      {
        match: { user: "eve", times: "always" },
        fault: { kind: "exec_handshake", break: "cut" },
      },
    ]);
    expect((await exec(["id"])).error).toMatch(/socket hang up/u);
    expect((await exec(["true"])).closeCode).toBe(1000);
  });
});
