import { describe, expect, test } from "vitest";
import { parseDeployment } from "./deployment.js";

const bytesMax = 4096;
const metadata = { namespace: "web", name: "api", uid: "u-1", resourceVersion: "812" };
const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: {}, status: {} };

const parse = (value: unknown): ReturnType<typeof parseDeployment> =>
  parseDeployment(new TextEncoder().encode(JSON.stringify(value)), bytesMax);

test("a Deployment is read with its images, its counts and its marker", () => {
  const outcome = parse({
    ...deployment,
    metadata: { ...metadata, generation: 4, managedFields: [{ fieldsV1: { "f:spec": {} } }] },
    spec: {
      replicas: 3,
      paused: true,
      template: {
        metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "1790000000000" } },
        spec: {
          initContainers: [{ image: "init:1" }],
          containers: [{ name: "a", image: "app:2" }, { name: "b" }],
        },
      },
    },
    status: { observedGeneration: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
  });
  expect(outcome.ok && outcome.value).toEqual({
    ...metadata,
    generation: 4,
    observedGeneration: 3,
    replicas: { wanted: 3, updated: 2, ready: 1, available: 1 },
    paused: true,
    images: ["init:1", "app:2"],
    restartedAt: "1790000000000",
  });
});

test("what Go leaves out reads as zero, false or null, and replicas as the server's default", () => {
  const outcome = parse({ ...deployment, spec: { template: { metadata: { annotations: null } } } });
  expect(outcome.ok && outcome.value).toEqual({
    ...metadata,
    generation: 0,
    observedGeneration: 0,
    replicas: { wanted: 1, updated: 0, ready: 0, available: 0 },
    paused: false,
    images: [],
    restartedAt: null,
  });
});

test("a foreign member may hold an integer beyond 2^53", () => {
  const text = JSON.stringify(deployment).replace(
    '"status":{}',
    '"status":{"x":18446744073709551615}',
  );
  expect(parseDeployment(new TextEncoder().encode(text), bytesMax).ok).toBe(true);
});

describe("refused as upstream_protocol", () => {
  test.each([
    ["another kind", { ...deployment, kind: "DaemonSet" }],
    ["another version", { ...deployment, apiVersion: "apps/v1beta1" }],
    ["no metadata", { ...deployment, metadata: undefined }],
    ["an empty uid", { ...deployment, metadata: { ...metadata, uid: "" } }],
    ["no resourceVersion", { ...deployment, metadata: { ...metadata, resourceVersion: null } }],
    [
      "a resourceVersion as number",
      { ...deployment, metadata: { ...metadata, resourceVersion: 8 } },
    ],
    ["replicas as text", { ...deployment, spec: { replicas: "3" } }],
    [
      "annotations as a list",
      { ...deployment, spec: { template: { metadata: { annotations: [] } } } },
    ],
    ["an array", [deployment]],
  ])("%s", (_what, value) => {
    const outcome = parse(value);
    expect(outcome.ok || outcome.failure.code).toBe("upstream_protocol");
  });
});

test("an answer one byte over the bound is capacity", () => {
  const size = new TextEncoder().encode(JSON.stringify(deployment)).byteLength;
  const pad = "x".repeat(bytesMax - size - '"p":"",'.length);
  const text = JSON.stringify({ p: pad, ...deployment });
  expect(parseDeployment(new TextEncoder().encode(text), bytesMax).ok).toBe(true);
  const over = parseDeployment(new TextEncoder().encode(text + " "), bytesMax);
  expect(over.ok || over.failure.code).toBe("capacity");
});
