import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { arrayAt, objectAt, parseJson, stringAt, type JsonValue } from "../json-value.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

let simulator: Simulator;
let client: SimulatorClient;

beforeAll(async () => {
  simulator = await openSimulator();
  client = openSimulatorClient(simulator);
});

afterAll(async () => {
  client.close();
  await simulator.close();
});

async function get(
  path: string,
  accept = "application/json",
): Promise<{ readonly type: string; readonly json: JsonValue; readonly status: number }> {
  const answer = await client.request("GET", path, { headers: { Accept: accept } });
  return {
    status: answer.status,
    type: answer.headers["content-type"] ?? "",
    json: parseJson(answer.text) ?? null,
  };
}

describe("discovery", () => {
  it("aggregated says so in its type and names every resource with its parts", async () => {
    const older = AGGREGATED.replace("v=v2;", "v=v2beta1;");
    const accept = `${AGGREGATED},${older},application/json`;
    const { type, json } = await get("/apis?timeout=32s", accept);
    expect(type).toBe(AGGREGATED);
    expect(json).toMatchObject({ kind: "APIGroupDiscoveryList" });
    const apps = arrayAt(json, "items").find(
      (item) => stringAt(item, "metadata", "name") === "apps",
    );
    const resources = arrayAt(arrayAt(apps, "versions")[0], "resources");
    expect(resources).toContainEqual(
      expect.objectContaining({
        resource: "deployments",
        singularResource: "deployment",
        scope: "Namespaced",
        shortNames: ["deploy"],
      }),
    );
  });

  it("in the old form leads from the groups to every resource list", async () => {
    expect((await get("/api")).json).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
    const { json } = await get("/apis");
    const groups = arrayAt(json, "groups").map((group) =>
      stringAt(group, "preferredVersion", "groupVersion"),
    );
    expect(groups).toEqual(["apps/v1", "authentication.k8s.io/v1", "authorization.k8s.io/v1"]);
    for (const path of ["/api/v1", ...groups.map((group) => `/apis/${group}`)]) {
      const found = await get(path);
      expect(found.json).toMatchObject({ kind: "APIResourceList" });
      expect(arrayAt(found.json, "resources").length).toBeGreaterThan(0);
    }
    expect((await get("/apis/apps")).json).toMatchObject({ kind: "APIGroup", name: "apps" });
  });

  it("accepts nothing but JSON", async () => {
    expect((await get("/apis", "application/yaml")).status).toBe(406);
  });
});

describe("the OpenAPI documents", () => {
  it("are found through the index and may be kept for ever by their hash", async () => {
    const { json } = await get("/openapi/v3");
    const url = stringAt(json, "paths", "apis/apps/v1", "serverRelativeURL");
    const answer = await client.request("GET", `${url}&timeout=32s`);
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("public, immutable");
    const document = parseJson(answer.text) ?? null;
    const schemas = objectAt(document, "components", "schemas");
    expect(schemas["io.k8s.api.apps.v1.Deployment"]).toBeDefined();
  });

  it("are 404 for a group without one, as is the second version of the API", async () => {
    expect((await get("/openapi/v3/apis/nope/v1")).status).toBe(404);
    expect((await get("/openapi/v2")).status).toBe(404);
  });
});
