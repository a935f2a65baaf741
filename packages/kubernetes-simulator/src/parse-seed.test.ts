import { describe, expect, it } from "vitest";

import { parseSeed } from "./parse-seed.js";
import { openSimulator } from "./simulator.js";
import { openSimulatorClient } from "./testing/simulator-client.js";

const manifest = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "cm", namespace: "new" },
};

describe("a seed file", () => {
  it("brings manifests, the namespaces that they name, users and scripts", async () => {
    const parsed = parseSeed({
      manifests: [manifest],
      users: [
        {
          name: "ann",
          token: "secret-token",
          rules: [{ verbs: ["get"], groups: [""], resources: ["configmaps"] }],
        },
      ],
      exec: [],
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    await using simulator = await openSimulator({ seed: parsed.value });
    const client = openSimulatorClient(simulator, { kind: "token", token: "secret-token" });
    const got = await client.request("GET", "/api/v1/namespaces/new/configmaps/cm");
    client.close();
    expect(got.status).toBe(200);
  });

  it.each([
    ["no object", [], "(top)"],
    ["an unknown member", { objects: [] }, "objects"],
    ["a manifest of another kind", { manifests: [{ kind: "Job" }] }, "manifests[0]"],
    ["a manifest without a name", { manifests: [{ ...manifest, metadata: {} }] }, "manifests[0]"],
    ["a user without a name", { users: [{}] }, "users[0].name"],
    ["a rule without verbs", { users: [{ name: "a", rules: [{}] }] }, "users[0].rules[0].verbs"],
    ["a token with a space", { users: [{ name: "a", token: "a b" }] }, "users[0]"],
    ["scripts that are none", { exec: [{ commands: 3 }] }, "exec[0].commands"],
  ])("with %s is refused where that stands", (_what, value, path) => {
    const parsed = parseSeed(value);
    expect(parsed.ok ? [] : parsed.issues.map((issue) => issue.path)).toContain(path);
  });

  it("with a manifest that a cluster refuses opens no simulator", async () => {
    const bad = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec: {} };
    await expect(openSimulator({ seed: { objects: [bad] } })).rejects.toThrow(
      'Deployment "x": Deployment.apps "x" is invalid',
    );
  });
});
