import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { defaultSeed } from "../default-seed.js";
import type { RequestFault } from "../faults/fault.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

const PATH = "/api/v1/namespaces/web/configmaps/api-settings";

let simulator: Simulator;
let client: SimulatorClient;
let count = 0;

beforeAll(async () => {
  simulator = await openSimulator({ seed: defaultSeed() });
});

afterAll(async () => {
  await simulator.close();
});

beforeEach(() => {
  client = openSimulatorClient(simulator);
  simulator.clearRequests();
});

function strike(fault: RequestFault): void {
  simulator.faults.use([{ match: { method: "PATCH" }, fault }]);
}

/** Sends one patch with a marker of its own; says how it ended and whether it was stored. */
async function patchOnce(): Promise<{ readonly end: number | string; readonly stored: boolean }> {
  count += 1;
  const marker = `m${count}`;
  const end = await client
    .request("PATCH", PATH, {
      contentType: "application/merge-patch+json",
      body: { data: { MARKER: marker } },
    })
    .then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
  return { end, stored: isStored(marker) };
}

function isStored(marker: string): boolean {
  const stored = simulator.objects.get("", "configmaps", "web", "api-settings");
  return JSON.stringify(stored).includes(`"${marker}"`);
}

describe("a scripted fault", () => {
  it.each([
    [{ kind: "drop_before_commit" }, "ECONNRESET", false],
    [{ kind: "drop_after_commit" }, "ECONNRESET", true],
    [{ kind: "reset", at: "before_commit" }, "ECONNRESET", false],
    [{ kind: "reset", at: "after_commit" }, "ECONNRESET", true],
    [{ kind: "delay", at: "before_commit", ms: 5 }, 200, true],
    [{ kind: "delay", at: "after_commit", ms: 5 }, 200, true],
    [{ kind: "answer", answer: { status: 503, headers: {}, body: "no" } }, 503, false],
    [{ kind: "answer_after_commit", answer: { status: 500, headers: {}, body: "" } }, 500, true],
  ] as const)("%o ends the request as it says and stores %s, %s", async (fault, end, stored) => {
    strike(fault);
    expect(await patchOnce()).toEqual({ end, stored });
    expect(simulator.faults.strikes()).toEqual([1]);
    const [record] = simulator.requests();
    expect(record?.faults).toEqual([fault.kind]);
    expect(record?.executions).toBe(stored ? 1 : 0);
    expect(await patchOnce()).toEqual({ end: 200, stored: true });
    client.close();
  });

  it.each(["before_commit", "after_commit"] as const)(
    "half-open %s never answers and keeps the connection",
    async (at) => {
      strike({ kind: "half_open", at });
      const waiting = patchOnce();
      await expect
        .poll(() => simulator.requests()[0]?.faults, { timeout: 10_000 })
        .toEqual(["half_open"]);
      expect(simulator.connectionCount()).toBeGreaterThan(0);
      expect(isStored(`m${count}`)).toBe(at === "after_commit");
      client.close();
      expect(await waiting).toMatchObject({ end: "ECONNRESET" });
    },
  );

  it("duplicate executes a request twice and answers the second time", async () => {
    simulator.faults.use([{ match: { method: "POST" }, fault: { kind: "duplicate" } }]);
    const answer = await client.request("POST", "/api/v1/namespaces/web/configmaps", {
      contentType: "application/json",
      body: { metadata: { name: "twice" } },
    });
    client.close();
    expect(answer.status).toBe(409);
    expect(simulator.objects.get("", "configmaps", "web", "twice")).toBeDefined();
    expect(simulator.requests()[0]).toMatchObject({ executions: 2, status: 409 });
  });

  it("strikes the requests of one user alone when it says so", async () => {
    simulator.faults.use([
      {
        match: { user: "someone", times: "always" },
        fault: { kind: "drop_before_commit" },
      },
    ]);
    expect((await patchOnce()).end).toBe(200);
    const { token } = await simulator.addUser({ name: "someone" });
    const other = openSimulatorClient(simulator, { kind: "token", token });
    await expect(other.request("GET", PATH)).rejects.toThrow();
    other.close();
    client.close();
  });
});
