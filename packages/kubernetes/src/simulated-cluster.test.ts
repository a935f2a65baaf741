import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConnection, type NodeConnection } from "@connectors/kubernetes-client/node";
import {
  defaultSeed,
  openSimulator,
  type AccessRule,
  type FaultRule,
  type Simulator,
} from "@connectors/kubernetes-simulator";
import type { Adapter, CapturedConnection, JsonObject, Outcome, Settlement } from "@connectors/sdk";
import { makeManualAmbient, makeSystemAmbient } from "@connectors/sdk/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKubernetesAdapter } from "./composition.js";
import { untilReady } from "./testing/dispatch-bench.js";
import { makeExampleOptions } from "./testing/index.js";

const folder = mkdtempSync(join(tmpdir(), "simulated-"));
const ambient = makeSystemAmbient();
const { signal } = new AbortController();
// The controllers' time: they stand still, and so the versions of their objects, unless it is moved.
const controllers = makeManualAmbient();
let simulator: Simulator;
const connections = new Map<string, NodeConnection>();

beforeAll(async () => {
  simulator = await openSimulator({
    seed: defaultSeed(),
    surroundings: { timers: controllers.timers },
  });
});
afterAll(async () => {
  for (const connection of connections.values()) await connection[Symbol.asyncDispose]();
  await simulator.close();
  rmSync(folder, { recursive: true });
});

/** Runs `body` on a captured connection of this user, and lets the connection go. */
async function as<T>(user: string, body: (captured: CapturedConnection) => Promise<T>): Promise<T> {
  const kubeconfig = join(folder, user);
  writeFileSync(kubeconfig, simulator.kubeconfig(user));
  const source = { kind: "kubeconfig", kubeconfig, context: null } as const;
  const connection = connections.get(user) ?? openConnection({ source, ambient });
  connections.set(user, connection);
  const captured = await connection.capture({ signal });
  if (!captured.ok) throw new Error(`${captured.failure.code}: ${captured.failure.message}`);
  await using held = captured.value;
  return await body(held);
}

type Change = Parameters<typeof makeExampleOptions>[1];

function makeAdapter(change: Change = {}): Adapter {
  return makeKubernetesAdapter(makeExampleOptions(ambient.clock, change));
}

interface Call {
  readonly user?: string;
  readonly change?: Change;
  /** Faults from the gate on. */
  readonly faults?: readonly FaultRule[];
}

/** Prepares, then executes with whatever capability is needed: the runtime's part, without it. */
async function write(
  operation: string,
  input: JsonObject,
  { user = "admin", change, faults = [] }: Call = {},
): Promise<Settlement | string> {
  return as(user, async (captured) => {
    const prepared = await makeAdapter(change).prepareWrite({
      operation,
      input,
      http: captured.http,
      check: (path) => captured.check(path),
      nowMs: ambient.clock.nowMs(),
      signal,
    });
    if (!prepared.ok) return `${prepared.failure.code}: ${prepared.failure.hint}`;
    simulator.faults.use(faults);
    const { needs } = prepared.value;
    const options = { correlation: "01930000-0000-7000-8000-000000000002", signal };
    const settlement =
      needs.kind === "write"
        ? prepared.value.execute({ kind: "write", write: take(captured.write()) }, options)
        : prepared.value.execute(
            { kind: "upgrade", upgrade: take(captured.upgrade(needs.bounds)) },
            options,
          );
    const settled = await settlement;
    simulator.faults.use([]);
    return settled;
  });
}

function take<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

async function readCoordinates(name: string): Promise<JsonObject> {
  return as("admin", async ({ http }) =>
    take(await makeAdapter().read("deployments.get", { namespace: "web", name }, { http, signal })),
  );
}

async function restartInput(name: string): Promise<JsonObject> {
  const { namespace, uid, resource_version } = await readCoordinates(name);
  return {
    namespace: namespace ?? "",
    name,
    uid: uid ?? "",
    resource_version: resource_version ?? "",
  };
}

function generationOf(name: string): number {
  const stored = simulator.objects.get("apps", "deployments", "web", name);
  return (stored as unknown as { readonly metadata: { readonly generation: number } }).metadata
    .generation;
}

/** A restart of `worker` at its present version, and by how much its generation moved. */
async function restart(
  call: Call = {},
  change: JsonObject = {},
): Promise<{ settlement: Settlement | string; moved: number }> {
  // Until the rollout before has written its last status.
  controllers.advance(60_000);
  const input = { ...(await restartInput("worker")), ...change };
  const before = generationOf("worker");
  const settlement = await write("deployment.rollout_restart", input, call);
  return { settlement, moved: generationOf("worker") - before };
}

const patches: FaultRule["match"] = { method: "PATCH" };
const refused = (code: string): object => ({
  kind: "refused",
  stage: "response",
  failure: { code },
});

describe("a restart on the simulated cluster", () => {
  test("at the present version is applied once, and its coordinates move on", async () => {
    const { settlement, moved } = await restart();
    expect(settlement).toMatchObject({ kind: "applied", result: { patch_accepted: true } });
    expect(moved).toBe(1);
    const coordinates = await readCoordinates("worker");
    expect(coordinates["restarted_at"]).toMatch(/^\d{13}$/);
  });

  test("at a stale version is refused", async () => {
    const stale = await restartInput("worker");
    await restart();
    expect(await write("deployment.rollout_restart", stale)).toMatchObject(
      refused("invalid_input"),
    );
  });

  test("of another uid, or of a missing Deployment, is refused", async () => {
    const other = await restart({}, { uid: "00000000-0000-4000-8000-000000000000" });
    expect(other).toMatchObject({ settlement: refused("invalid_input"), moved: 0 });
    const missing = await restart({}, { name: "nowhere" });
    expect(missing).toMatchObject({ settlement: refused("not_found"), moved: 0 });
  });

  test("that a webhook or a policy denies is refused", async () => {
    const match = { operations: ["UPDATE"], resource: "deployments.apps", name: "worker" } as const;
    const hooks = [
      { match, kind: "webhook", phase: "mutating", name: "no.example" },
      {
        match,
        kind: "webhook",
        phase: "validating",
        name: "no.example",
        denial: { code: 409, reason: "Conflict" },
      },
      { match, kind: "policy", policy: "p", binding: "b", message: "no" },
    ] as const;
    for (const hook of hooks) {
      const remove = simulator.addAdmission(hook);
      const result = await restart();
      remove();
      expect(result).toMatchObject({ settlement: refused("forbidden"), moved: 0 });
    }
  });

  test("whose webhook cannot be asked is unknown, though nothing happened", async () => {
    const remove = simulator.addAdmission({
      match: { resource: "deployments.apps" },
      kind: "webhook_failure",
      phase: "validating",
      name: "down.example",
      failure: "unreachable",
    });
    const result = await restart();
    remove();
    expect(result).toMatchObject({
      settlement: { kind: "unknown", code: "unavailable" },
      moved: 0,
    });
  });

  test.each([
    ["an answer that is lost after the commit", { kind: "drop_after_commit" }, "unavailable", 1],
    ["an answer that is lost before the commit", { kind: "drop_before_commit" }, "unavailable", 0],
    [
      "a 500 after the commit",
      { kind: "answer_after_commit", answer: { status: 500, headers: {}, body: "" } },
      "unavailable",
      1,
    ],
    ["a reset after the commit", { kind: "reset", at: "after_commit" }, "unavailable", 1],
  ] as const)("with %s is unknown", async (_what, fault, code, moved) => {
    const result = await restart({ faults: [{ match: patches, fault }] });
    expect(result).toMatchObject({ settlement: { kind: "unknown", code }, moved });
  });

  test("that something sends twice is applied and answered 409: unknown where that was said", async () => {
    const faults: readonly FaultRule[] = [{ match: patches, fault: { kind: "duplicate" } }];
    const told = await restart({ faults, change: { intermediary: "may_resend" } });
    expect(told).toMatchObject({ settlement: { kind: "unknown", code: "unavailable" }, moved: 1 });
  });

  test("without RBAC is not attempted: its review says so first", async () => {
    const review: AccessRule = {
      verbs: ["create"],
      groups: ["authentication.k8s.io", "authorization.k8s.io"],
      resources: ["selfsubjectreviews", "selfsubjectaccessreviews"],
    };
    await simulator.addUser({ name: "reader", rules: [review] });
    const result = await restart({ user: "reader" });
    expect(result).toEqual({
      settlement: "forbidden: RBAC must allow patch on deployments.apps in namespace web.",
      moved: 0,
    });
  });
});

describe("an exec on the simulated cluster", () => {
  function podOf(name: string): string {
    const pods = simulator.objects.list("", "pods", "web") as readonly {
      metadata: { name: string };
    }[];
    return (
      pods.map(({ metadata }) => metadata.name).find((pod) => pod.startsWith(`${name}-`)) ?? ""
    );
  }
  /** Runs a command while the container's time goes on. */
  const exec = async (
    command: readonly string[],
    call: Call = {},
    change: JsonObject = {},
  ): Promise<Settlement | string> => {
    const input = { namespace: "web", pod: podOf("api"), container: "app", command, ...change };
    let settled = false;
    const settlement = write("pods.exec", input, call).finally(() => {
      settled = true;
    });
    await untilReady(() => {
      controllers.advance(1);
      return settled;
    });
    return settlement;
  };

  test("answers with the exit code and the output", async () => {
    expect(await exec(["echo", "hello"])).toMatchObject({
      kind: "applied",
      result: {
        exit_code: 0,
        stdout: "hello\n",
        evidence: "direct",
        provenance: { subprotocol: "v4" },
      },
    });
    expect(await exec(["sh", "-c", "echo no; exit 3"])).toMatchObject({
      kind: "applied",
      result: { exit_code: 3, stdout: "no\n" },
    });
  });

  test("of a wrong container or a missing Pod is refused", async () => {
    expect(await exec(["true"], {}, { container: "nope" })).toMatchObject(refused("invalid_input"));
    expect(await exec(["true"], {}, { pod: "nope" })).toMatchObject(refused("not_found"));
  });

  test("of a program that is not there is unknown: a failure says nothing about what ran", async () => {
    expect(await exec(["no-such-program"])).toMatchObject({
      kind: "unknown",
      code: "upstream_protocol",
      observed: { status_reason: "InternalError" },
    });
  });

  test.each([
    [["create"], /must allow get on pods\/exec/],
    [["get"], /must allow create on pods\/exec/],
  ])("with the verbs %j alone is refused, and the hint names the other", async (verbs, hint) => {
    const review: AccessRule = {
      verbs: ["create"],
      groups: ["authentication.k8s.io"],
      resources: ["selfsubjectreviews"],
    };
    const rules = [review, { verbs, groups: [""], resources: ["pods/exec"] }];
    await simulator.addUser({ name: "half", rules });
    const settlement = await exec(["true"], { user: "half" });
    expect(settlement).toMatchObject(refused("forbidden"));
    expect(settlement).toMatchObject({ failure: { hint: expect.stringMatching(hint) as string } });
  });

  test("whose kubelet is lost is unknown under v4, and a Success that isn't one under v5", async () => {
    const faults: readonly FaultRule[] = [
      {
        match: {},
        fault: {
          kind: "exec_stream",
          when: { at: "messages", count: 1 },
          acts: [{ act: "kubelet_lost" }],
        },
      },
    ];
    const command = ["sh", "-c", "echo a; sleep 3600; echo b"];
    expect(await exec(command, { faults })).toMatchObject({
      kind: "unknown",
      code: "unavailable",
      observed: { stdout: "a\n", status_reason: null },
    });
    const change = { exec_subprotocols: ["v5", "v4"] };
    expect(await exec(command, { faults, change })).toMatchObject({
      kind: "applied",
      result: { exit_code: 0, stdout: "a\n", evidence: "translated" },
    });
  });
});

describe("a connection to the simulated cluster", () => {
  test("by client certificate and by token is the same user", async () => {
    await simulator.addUser({ name: "ada", clientCertificate: true });
    await simulator.addUser({ name: "bob" });
    for (const user of ["ada", "bob"]) {
      expect(await as(user, (captured) => Promise.resolve(captured.username))).toBe(user);
    }
  });

  test("of a user who is gone is unauthorized", async () => {
    await simulator.addUser({ name: "gone" });
    const kubeconfig = join(folder, "gone");
    writeFileSync(kubeconfig, simulator.kubeconfig("gone"));
    simulator.removeUser("gone");
    await using connection = openConnection({
      source: { kind: "kubeconfig", kubeconfig, context: null },
      ambient,
    });
    const captured = await connection.capture({ signal });
    expect(captured.ok || captured.failure.code).toBe("unauthorized");
  });
});
