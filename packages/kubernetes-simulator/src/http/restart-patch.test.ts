import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { defaultSeed } from "../default-seed.js";
import { isJsonObject, numberAt, objectAt, parseJson, type JsonObject } from "../json-value.js";
import { openSimulator, type Simulator } from "../simulator.js";
import type { StoredObject } from "../store/stored-object.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

const PATH = "/apis/apps/v1/namespaces/web/deployments/api";
const STRATEGIC = "application/strategic-merge-patch+json";
const MARKER = "kubectl.kubernetes.io/restartedAt";

let simulator: Simulator;
let client: SimulatorClient;

beforeEach(async () => {
  // Once open nothing moves by itself: no timer ever fires.
  const timers = { after: () => () => undefined };
  simulator = await openSimulator({ seed: defaultSeed(), surroundings: { timers } });
  client = openSimulatorClient(simulator);
});

afterEach(async () => {
  client.close();
  await simulator.close();
});

function deployment(): StoredObject {
  const found = simulator.objects.get("apps", "deployments", "web", "api");
  if (found === undefined) throw new Error("the seed has no web/api");
  return found;
}

function restartBody(guard: JsonObject, marker = "1767225600000"): JsonObject {
  return {
    metadata: guard,
    spec: { template: { metadata: { annotations: { [MARKER]: marker } } } },
  };
}

async function patch(
  body: unknown,
  contentType = STRATEGIC,
  path = PATH,
): Promise<{ readonly status: number; readonly json: JsonObject }> {
  const answer = await client.request("PATCH", `${path}?fieldManager=connectors`, {
    contentType,
    body,
  });
  const json = parseJson(answer.text);
  return { status: answer.status, json: isJsonObject(json) ? json : {} };
}

const details = { name: "api", group: "apps", kind: "deployments" };

describe("a guarded restart", () => {
  it("at the current version moves generation by one and names its manager", async () => {
    const { uid, resourceVersion, generation = 0 } = deployment().metadata;
    const { status, json } = await patch(restartBody({ uid, resourceVersion }));
    expect(status).toBe(200);
    expect(numberAt(json, "metadata", "generation")).toBe(generation + 1);
    expect(objectAt(json, "spec", "template", "metadata", "annotations")[MARKER]).toBe(
      "1767225600000",
    );
    const managers = simulator.objects
      .history("apps", "deployments", "web", "api")
      .at(-1)
      ?.object.metadata.managedFields?.map(({ manager }) => manager);
    expect(managers).toContain("connectors");
  });

  it.each(["1", "999999999"])("at version %s is a conflict, whatever else is wrong", async (rv) => {
    const { status, json } = await patch(restartBody({ uid: "another", resourceVersion: rv }));
    expect(status).toBe(409);
    expect(json).toMatchObject({ reason: "Conflict", details });
  });

  it("for another uid is invalid, with the uid named twice", async () => {
    const { resourceVersion } = deployment().metadata;
    const { status, json } = await patch(restartBody({ uid: "another", resourceVersion }));
    expect(status).toBe(422);
    const cause = { reason: "FieldValueInvalid", field: "metadata.uid" };
    expect(json).toMatchObject({
      reason: "Invalid",
      details: { name: "api", group: "apps", kind: "Deployment", causes: [cause, cause] },
    });
  });

  it("with an empty uid applies without the guard", async () => {
    const { resourceVersion, generation = 0 } = deployment().metadata;
    const { status, json } = await patch(restartBody({ uid: "", resourceVersion }));
    expect(status).toBe(200);
    expect(numberAt(json, "metadata", "generation")).toBe(generation + 1);
  });

  it("of what is not there is 404, in a namespace that is not there too", async () => {
    for (const [namespace, name] of [
      ["web", "nope"],
      ["nope", "nope"],
    ]) {
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
      const { status, json } = await patch(restartBody({}), STRATEGIC, path);
      expect(status).toBe(404);
      expect(json).toMatchObject({ reason: "NotFound", details: { ...details, name } });
    }
  });

  it("at a version that is no number is a 500 without a reason", async () => {
    const { status, json } = await patch(restartBody({ resourceVersion: "abc" }));
    expect(status).toBe(500);
    expect(json["reason"]).toBeUndefined();
  });

  it("is refused by its media type, its syntax and its types, each in its own way", async () => {
    expect((await patch({}, "application/foo")).status).toBe(415);
    const broken = await patch("{");
    expect(broken.status).toBe(400);
    expect(broken.json["details"]).toBeUndefined();
    const wrongType = await patch({ metadata: { annotations: { a: 5 } } });
    expect(wrongType.status).toBe(422);
    expect(wrongType.json["details"]).toMatchObject({ causes: [{ field: "patch" }] });
    const failedTest = await patch(
      [{ op: "test", path: "/metadata/generation", value: 99 }],
      "application/json-patch+json",
    );
    expect(failedTest.status).toBe(422);
    expect(failedTest.json["details"]).toEqual({});
  });

  it("that changes nothing moves neither version nor generation", async () => {
    await patch(restartBody({}, "same"));
    const before = deployment().metadata;
    const { status } = await patch(restartBody({}, "same"));
    expect(status).toBe(200);
    expect(deployment().metadata).toEqual(before);
  });

  it("asked for 32 times on one version is applied once", async () => {
    const { uid, resourceVersion, generation = 0 } = deployment().metadata;
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        patch(restartBody({ uid, resourceVersion }, String(index))),
      ),
    );
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 409)).toHaveLength(31);
    const markers = simulator.objects
      .history("apps", "deployments", "web", "api")
      .map(({ object }) => objectAt(object.spec, "template", "metadata", "annotations")[MARKER]);
    expect(new Set(markers.filter((marker) => marker !== undefined)).size).toBe(1);
    expect(deployment().metadata.generation).toBe(generation + 1);
  });
});

describe("a Deployment's generation", () => {
  it.each([
    ["spec", { spec: { replicas: 4 } }, 1],
    ["annotations", { metadata: { annotations: { a: "b" } } }, 1],
    ["labels", { metadata: { labels: { a: "b" } } }, 0],
  ])("moves with its %s by %#", async (_what, body, moved) => {
    const { generation = 0 } = deployment().metadata;
    await patch(body, "application/merge-patch+json");
    expect(deployment().metadata.generation).toBe(generation + moved);
  });

  it("does not move with its status", async () => {
    const { generation, resourceVersion } = deployment().metadata;
    const merge = "application/merge-patch+json";
    await patch({ status: { collisionCount: 3 } }, merge, `${PATH}/status`);
    expect(deployment().metadata.generation).toBe(generation);
    expect(deployment().metadata.resourceVersion).not.toBe(resourceVersion);
  });
});
