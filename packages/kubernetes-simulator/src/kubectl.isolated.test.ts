import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defaultSeed } from "./default-seed.js";
import { objectAt } from "./json-value.js";
import { openSimulator, type Simulator } from "./simulator.js";
import { findKubectl, runKubectl, type KubectlRun } from "./testing/kubectl.js";

// The real kubectl, unchanged, against the simulator. `KUBECTL_REQUESTS=FILE` writes down what it
// asked, as `recorded/kubectl-requests.json` has it for machines without a kubectl.

const kubectl = findKubectl(process.env);
if (kubectl === undefined) {
  process.stderr.write(
    "no kubectl here: set KUBECTL; its recorded requests are replayed instead\n",
  );
}

const manifest = (image: string, replicas: number, sidecar: boolean): string =>
  JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "site", namespace: "web", labels: { app: "site" } },
    spec: {
      replicas,
      selector: { matchLabels: { app: "site" } },
      template: {
        metadata: { labels: { app: "site" } },
        spec: {
          containers: [
            { name: "app", image, ports: [{ containerPort: 80 }] },
            ...(sidecar ? [{ name: "side", image: "side:1" }] : []),
          ],
        },
      },
    },
  });

describe.skipIf(kubectl === undefined)("kubectl", () => {
  let folder: string;
  let simulator: Simulator;

  const run = async (
    argv: readonly string[],
    options: { readonly stdin?: string; readonly until?: (stdout: string) => boolean } = {},
  ): Promise<KubectlRun> => {
    if (kubectl === undefined) throw new Error("skipped without a kubectl");
    const paths = { kubeconfigPath: join(folder, "config"), cachePath: join(folder, "cache") };
    return await runKubectl(kubectl, { ...paths, ...options }, argv);
  };
  const web = (...argv: readonly string[]): Promise<KubectlRun> => run(["-n", "web", ...argv]);
  const apply = (text: string, ...more: readonly string[]): Promise<KubectlRun> =>
    run(["apply", "-f", "-", ...more], { stdin: text });

  const isWatched = (path: string): boolean =>
    simulator
      .requests()
      .some((request) => request.path === path && request.query.includes("watch=true"));
  const podNames = (): readonly string[] =>
    simulator.objects.list("", "pods", "web").map(({ metadata }) => metadata.name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "simulator-kubectl-"));
    simulator = await openSimulator({
      seed: defaultSeed(),
      pace: { podReadyMs: 50, podReplaceMs: 20 },
    });
    writeFileSync(join(folder, "config"), simulator.kubeconfig(), { mode: 0o600 });
  });

  afterAll(async () => {
    const recording = process.env["KUBECTL_REQUESTS"];
    if (recording !== undefined) writeFileSync(recording, describeRequests(simulator));
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("gets tables, objects and paths", async () => {
    const deployments = await web("get", "deploy");
    expect(deployments.stderr).toBe("");
    expect(deployments.stdout).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\n/u);
    expect(deployments.stdout).toMatch(/^api +3\/3 +3 +3 +\d+s$/mu);
    expect((await run(["get", "pods", "-A", "-o", "wide"])).stdout).toMatch(
      /^web +api-\S+ +1\/1 +Running +0 +\d+s +10\.244\.0\.\d+ +simulator-node/mu,
    );
    expect((await run(["get", "ns"])).stdout).toMatch(/^web +Active/mu);
    const json = JSON.parse((await web("get", "deploy", "api", "-o", "json")).stdout) as object;
    expect(json).toMatchObject({ kind: "Deployment", spec: { replicas: 3 } });
    const path = "jsonpath={.spec.template.spec.containers[*].name}";
    expect((await web("get", "deploy", "api", "-o", path)).stdout).toBe("app");
    expect((await web("get", "deploy", "nope")).stderr).toBe(
      'Error from server (NotFound): deployments.apps "nope" not found\n',
    );
  });

  it("restarts a rollout and follows it to its end", async () => {
    const generation = (): number =>
      simulator.objects.get("apps", "deployments", "web", "api")?.metadata.generation ?? 0;
    const before = generation();
    expect((await web("rollout", "restart", "deploy/api")).stdout).toBe(
      "deployment.apps/api restarted\n",
    );
    expect(generation()).toBe(before + 1);
    const status = await web("rollout", "status", "deploy/api");
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toMatch(/deployment "api" successfully rolled out\n$/u);
    expect((await web("rollout", "history", "deploy/api")).stdout).toMatch(/^2 /mu);
    expect((await web("rollout", "undo", "deploy/api")).stdout).toContain("rolled back");
    expect((await web("rollout", "status", "deploy/api")).exitCode).toBe(0);
  });

  it("watches pods from the first event on", async () => {
    const argv = ["-n", "web", "get", "pods", "-l", "app=worker", "-w"];
    const watching = run(argv, { until: (written) => written.includes("Terminating") });
    await expect
      .poll(() => isWatched("/api/v1/namespaces/web/pods"), {
        timeout: 20_000,
      })
      .toBe(true);
    await web("scale", "deploy/worker", "--replicas=1");
    const { stdout } = await watching;
    expect(stdout).toMatch(/^worker-\S+ +1\/1 +Running/mu);
    expect(stdout).toMatch(/^worker-\S+ +1\/1 +Terminating/mu);
  });

  it("applies what is new, what has changed and what has not", async () => {
    expect((await apply(manifest("site:1", 2, true))).stdout).toContain("site created");
    expect((await apply(manifest("site:1", 2, true))).stdout).toContain("site unchanged");
    const dry = await apply(manifest("site:2", 3, true), "--dry-run=server");
    expect(dry.stdout).toContain("configured (server dry run)");
    expect((await apply(manifest("site:2", 3, true))).stdout).toContain("site configured");
    expect((await apply(manifest("site:2", 3, false))).stdout).toContain("site configured");
    const site = simulator.objects.get("apps", "deployments", "web", "site");
    expect(objectAt(site?.spec, "template", "spec")["containers"]).toMatchObject([
      { name: "app", image: "site:2" },
    ]);
    expect((await run(["create", "-f", "-"], { stdin: manifest("x", 1, false) })).stderr).toContain(
      'deployments.apps "site" already exists',
    );
    const bogus = { ...(JSON.parse(manifest("x", 1, false)) as object), bogus: 1 };
    expect((await apply(JSON.stringify(bogus))).stderr).toContain('unknown field "bogus"');
  });

  it("patches in three ways and notices when nothing changed", async () => {
    const template = '{"spec":{"template":{"metadata":{"annotations":{"a":"b"}}}}}';
    expect((await web("patch", "deploy/site", "-p", template)).stdout).toContain("patched\n");
    const labels = '{"metadata":{"labels":{"z":"1"}}}';
    const merge = ["patch", "deploy/site", "--type", "merge", "-p", labels];
    expect((await web(...merge)).stdout).toContain("patched\n");
    expect((await web(...merge)).stdout).toContain("(no change)");
    const operation = '[{"op":"add","path":"/metadata/labels/q","value":"1"}]';
    expect((await web("patch", "deploy/site", "--type", "json", "-p", operation)).stdout).toContain(
      "patched\n",
    );
    expect((await web("scale", "deploy/site", "--replicas=1")).stdout).toContain("scaled");
    expect((await web("wait", "--for=condition=Available", "deploy/site")).exitCode).toBe(0);
  });

  it("runs commands in containers and has their exit codes", async () => {
    const echo = await web("exec", "deploy/api", "--", "echo", "hi");
    expect(echo).toEqual({ exitCode: 0, stdout: "hi\n", stderr: "" });
    expect((await web("exec", "deploy/api", "--", "sh", "-c", "exit 3")).exitCode).toBe(3);
    const cat = await run(["-n", "web", "exec", "-i", "deploy/api", "--", "cat"], { stdin: "in" });
    expect(cat.stdout).toBe("in");
    expect((await web("exec", "deploy/api", "-c", "nope", "--", "true")).stderr).toMatch(
      /container nope is not valid for pod api-/u,
    );
  });

  it("deletes and waits until it is gone", async () => {
    expect((await web("delete", "deploy", "site")).stdout).toContain('"site" deleted');
    expect((await web("get", "deploy", "site")).exitCode).toBe(1);
    await expect
      .poll(() => podNames(), { timeout: 10_000 })
      .not.toContainEqual(expect.stringMatching(/^site-/u));
  });
});

// One line a request: what a replay needs, without what is a machine's or a moment's own.
function describeRequests(simulator: Simulator): string {
  const lines = simulator
    .requests()
    .filter(({ path }) => !/\/pods\/[^/]+(?:\/|$)/u.test(path))
    .map(({ method, path, query, headers, body, status }) =>
      JSON.stringify({
        method,
        path,
        query,
        accept: headers["accept"],
        contentType: headers["content-type"],
        ...(body === "" || body === undefined ? {} : { body }),
        status,
      }),
    );
  return `[\n${lines.join(",\n")}\n]\n`;
}
