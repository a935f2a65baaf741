import { deploymentsGetDeclaration, operationDeclarations } from "@connectors/domain";
import type { Adapter, JsonObject, Outcome } from "@connectors/sdk";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { answering, openHostilePeer, type PeerScript } from "@connectors/transport/testing";
import { describe, expect, test } from "vitest";
import { makeKubernetesAdapter } from "./composition.js";
import { checkKubernetesConfiguration } from "./configuration.js";
import { openDispatchBench } from "./testing/dispatch-bench.js";
import { makeExampleOptions } from "./testing/index.js";

const { clock } = makeManualAmbient();
const exec: JsonObject = { namespace: "web", pod: "api-0", container: "app", command: ["id"] };
const restart: JsonObject = { namespace: "web", name: "api", uid: "u-1", resource_version: "812" };
const get: JsonObject = { namespace: "web", name: "api" };

function make(change: Parameters<typeof makeExampleOptions>[1] = {}): Adapter {
  return makeKubernetesAdapter(makeExampleOptions(clock, change));
}

function told(outcome: Outcome<unknown>): unknown {
  return outcome.ok ? outcome.value : `${outcome.failure.code}: ${outcome.failure.message}`;
}

describe("describing", () => {
  test("advertises reads, and of the writes those that are turned on", () => {
    const ids = (adapter: Adapter): readonly string[] =>
      adapter.describe().operations.map(({ id }) => id);
    expect(ids(make()).toSorted()).toEqual(
      operationDeclarations.map(({ id }) => id as string).toSorted(),
    );
    const some = make({ operations: ["pods.exec"] });
    expect(ids(some)).toEqual(["pods.exec", "deployments.get"]);
    expect(some.describe().unconfigured).toEqual(["deployment.rollout_restart"]);
  });

  test("is the same whatever order namespaces and operations were written in", () => {
    const one = make({ namespaces: ["b", "a"], operations: ["pods.exec", "deployments.get"] });
    const other = make({ namespaces: ["a", "b"], operations: ["deployments.get", "pods.exec"] });
    expect(one.describe().configuration).toEqual(other.describe().configuration);
    const offers = make({ exec_subprotocols: ["v5", "v4"] }).describe().configuration;
    expect(offers).not.toEqual(make({ exec_subprotocols: ["v4", "v5"] }).describe().configuration);
  });
});

describe("a configuration", () => {
  test("that turns on an operation that is not there is refused", () => {
    const known = makeExampleOptions(clock).configuration;
    expect(checkKubernetesConfiguration(known).ok).toBe(true);
    const { configuration } = makeExampleOptions(clock, { operations: ["pods.exce"] });
    const refused = checkKubernetesConfiguration(configuration);
    expect(refused.ok || refused.failure.code).toBe("invalid_input");
  });
});

describe("checking an input", () => {
  test("says what the policy needs to know, and what this call may take", () => {
    expect(told(make().check("pods.exec", { ...exec, timeout_seconds: 7 }))).toEqual({
      namespace: "web",
      name: "api-0",
      command: ["id"],
      limits: { execution_ms: 17_000, provider_ms: 7_000 },
    });
    expect(told(make().check("deployment.rollout_restart", restart))).toEqual({
      namespace: "web",
      name: "api",
      command: null,
    });
    expect(told(make().check("deployments.get", get))).toEqual({ ...get, command: null });
  });

  test("without a timeout takes the default", () => {
    expect(told(make().check("pods.exec", exec))).toMatchObject({
      limits: { execution_ms: 40_000, provider_ms: 30_000 },
    });
  });

  test.each([
    [
      "an unknown operation",
      "pods.delete",
      exec,
      "unsupported: the Kubernetes adapter has no such operation",
    ],
    [
      "a name that every object has",
      "constructor",
      exec,
      "unsupported: the Kubernetes adapter has no such operation",
    ],
    [
      "another namespace",
      "pods.exec",
      { ...exec, namespace: "kube-system" },
      "forbidden: the namespace is not configured for this adapter",
    ],
    [
      "an unknown field",
      "pods.exec",
      { ...exec, shell: true },
      "invalid_input: the input at /shell is not a member of this object",
    ],
    [
      "a missing field",
      "deployments.get",
      { namespace: "web" },
      "invalid_input: the input at /name is required",
    ],
    [
      "two faults",
      "deployments.get",
      {},
      "invalid_input: the input at /namespace is required (and 1 more)",
    ],
    [
      "an empty argument",
      "pods.exec",
      { ...exec, command: [""] },
      "invalid_input: the input at /command/0 must be at least 1 bytes",
    ],
    [
      "a name with a slash",
      "deployments.get",
      { ...get, name: "a/b" },
      expect.stringMatching(/^invalid_input: the input at \/name must match/),
    ],
    [
      "a version beyond 64 bits",
      "deployment.rollout_restart",
      { ...restart, resource_version: "18446744073709551616" },
      "invalid_input: the input at /resource_version must fit in 64 bits",
    ],
    [
      "a version as a number",
      "deployment.rollout_restart",
      { ...restart, resource_version: 812 },
      "invalid_input: the input at /resource_version must be a string",
    ],
    [
      "a version with a leading zero",
      "deployment.rollout_restart",
      { ...restart, resource_version: "08" },
      expect.stringMatching(/^invalid_input/),
    ],
    [
      "an empty uid",
      "deployment.rollout_restart",
      { ...restart, uid: "" },
      "invalid_input: the input at /uid must be at least 1 bytes",
    ],
  ])("refuses %s", (_what, operation, input, message) => {
    expect(told(make().check(operation, input))).toEqual(message);
  });

  test("takes the largest version that 64 bits hold", () => {
    const input = { ...restart, resource_version: "18446744073709551615" };
    expect(make().check("deployment.rollout_restart", input).ok).toBe(true);
  });

  test("of an operation that is not configured is forbidden, and in no namespace everything is", () => {
    const none = make({ operations: [] });
    expect(told(none.check("pods.exec", exec))).toBe(
      "forbidden: the operation is not configured for this adapter",
    );
    expect(told(make({ namespaces: [] }).check("deployments.get", get))).toMatch(/^forbidden/);
  });

  test("never repeats a value", () => {
    const input = { ...exec, container: "s3cret!", command: ["s3cret", 1] as unknown as string[] };
    expect(JSON.stringify(make().check("pods.exec", input))).not.toContain("s3cret");
  });
});

describe("checking a result", () => {
  test("accepts what the model says and nothing else", () => {
    const result = { ...restart, resource_version: "813", patch_accepted: true };
    expect(make().checkResult("deployment.rollout_restart", result).ok).toBe(true);
    expect(make().checkResult("deployment.rollout_restart", { ...result, x: 1 }).ok).toBe(false);
    expect(told(make().checkResult("pods.delete", {}))).toMatch(/^unsupported/);
  });
});

describe("a wrong call", () => {
  const deaf: PeerScript = (connection) => connection.hang();

  test("makes no request: a read prepared as a write, a write read, anything unconfigured", async () => {
    await using peer = await openHostilePeer({ script: deaf });
    await using bench = openDispatchBench(peer.url, { operations: ["pods.exec"] });
    const { signal } = new AbortController();
    const http = bench.http.reader();
    expect(told(await bench.prepare("deployments.get", get))).toMatch(/^forbidden/);
    expect(told(await bench.prepare("deployment.rollout_restart", restart))).toMatch(/^forbidden/);
    expect(told(await bench.prepare("pods.delete", get))).toMatch(/^unsupported/);
    expect(told(await bench.prepare("pods.exec", { ...exec, namespace: "x" }))).toMatch(
      /^forbidden/,
    );
    expect(told(await bench.adapter.read("pods.exec", exec, { http, signal }))).toMatch(
      /^forbidden/,
    );
    expect(
      told(
        await bench.adapter.read(
          "deployments.get",
          { namespace: "x", name: "y" },
          { http, signal },
        ),
      ),
    ).toMatch(/^forbidden/);
    expect(peer.connectionCount()).toBe(0);
  });

  test("of execute a second time, or after a cancel, is a bug and throws", async () => {
    await using peer = await openHostilePeer({ script: deaf });
    await using bench = openDispatchBench(peer.url);
    const prepare = async (): ReturnType<typeof bench.prepare> => bench.prepare("pods.exec", exec);
    const cancelled = await prepare();
    if (!cancelled.ok) throw new Error(cancelled.failure.message);
    cancelled.value.cancel();
    cancelled.value.cancel();
    expect(() => bench.execute(cancelled.value)).toThrow("invariant");
    const used = await prepare();
    if (!used.ok) throw new Error(used.failure.message);
    const first = bench.execute(used.value, AbortSignal.abort());
    expect(() => bench.execute(used.value)).toThrow("invariant");
    expect((await first).kind).toBe("refused");
    expect(peer.connectionCount()).toBe(0);
  });
});

describe("deployments.get", () => {
  const deployment = {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name: "api", namespace: "web", uid: "u-1", resourceVersion: "812", generation: 3 },
    spec: {
      replicas: 2,
      paused: true,
      template: {
        metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z" } },
        spec: { containers: [{ image: "registry/app:1" }] },
      },
    },
    status: { observedGeneration: 3, updatedReplicas: 2, readyReplicas: 1 },
  };

  async function read(status: number, body: unknown): Promise<unknown> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    await using peer = await openHostilePeer({ script: answering(() => ({ status, body: text })) });
    await using bench = openDispatchBench(peer.url);
    const { signal } = new AbortController();
    const outcome = await bench.adapter.read("deployments.get", get, {
      http: bench.http.reader(),
      signal,
    });
    expect(peer.requests().map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /apis/apps/v1/namespaces/web/deployments/api",
    ]);
    return outcome.ok ? outcome.value : `${outcome.failure.code}: ${outcome.failure.hint}`;
  }

  test("gives the exact coordinates that a restart wants, and where they are from", async () => {
    expect(await read(200, deployment)).toEqual({
      namespace: "web",
      name: "api",
      uid: "u-1",
      resource_version: "812",
      generation: 3,
      observed_generation: 3,
      replicas: { wanted: 2, updated: 2, ready: 1, available: 0 },
      paused: true,
      images: ["registry/app:1"],
      restarted_at: "2026-01-01T00:00:00Z",
      provenance: {
        instance: "staging",
        resource: "/apis/apps/v1/namespaces/web/deployments/api",
        observed_at_ms: clock.nowMs(),
        source_revision: "812",
      },
    });
    expect(deploymentsGetDeclaration.id).toBe("deployments.get");
  });

  test.each([
    ["401", 401, "", /^unauthorized/],
    ["403", 403, "", /^forbidden: RBAC must allow get on deployments.apps in namespace web/],
    ["404", 404, "", /^not_found/],
    ["429", 429, "", /^rate_limited/],
    ["503", 503, "", /^unavailable/],
    ["301", 301, "", /^upstream_protocol/],
    ["418", 418, "", /^upstream_protocol/],
    ["text", 200, "hello", /^upstream_protocol/],
    [
      "another Deployment",
      200,
      { ...deployment, metadata: { ...deployment.metadata, name: "x" } },
      /^upstream_protocol/,
    ],
    [
      "a version that is none",
      200,
      { ...deployment, metadata: { ...deployment.metadata, resourceVersion: "0" } },
      /^upstream_protocol/,
    ],
    ["negative replicas", 200, { ...deployment, spec: { replicas: -1 } }, /^upstream_protocol/],
  ])("answered with %s fails", async (_what, status, body, expected) => {
    expect(await read(status, body)).toMatch(expected);
  });
});
