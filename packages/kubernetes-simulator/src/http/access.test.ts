import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defaultSeed } from "../default-seed.js";
import { parseJson, stringAt } from "../json-value.js";
import { openAuthority } from "../pki.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { SYSTEM_SURROUNDINGS } from "../system.js";
import {
  openSimulatorClient,
  type ClientIdentity,
  type SimulatorAnswer,
} from "../testing/simulator-client.js";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await openSimulator({ seed: defaultSeed() });
});

afterAll(async () => {
  await simulator.close();
});

async function ask(
  identity: ClientIdentity,
  method: string,
  path: string,
  body?: unknown,
): Promise<SimulatorAnswer> {
  const client = openSimulatorClient(simulator, identity);
  try {
    const request = body === undefined ? {} : { body, contentType: "application/json" };
    return await client.request(method, path, request);
  } finally {
    client.close();
  }
}

const REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const ACCESS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const PODS = "/api/v1/namespaces/web/pods";

async function whoami(identity: ClientIdentity): Promise<unknown> {
  return parseJson((await ask(identity, "POST", REVIEW, {})).text);
}

describe("who asks", () => {
  it("is known by token", async () => {
    const { token } = await simulator.addUser({ name: "ann", groups: ["team"] });
    expect(await whoami({ kind: "token", token })).toMatchObject({
      kind: "SelfSubjectReview",
      status: { userInfo: { username: "ann", groups: ["team", "system:authenticated"] } },
    });
  });

  it("is known by client certificate, its groups being the certificate's", async () => {
    const user = await simulator.addUser({
      name: "cert",
      groups: ["one", "two"],
      clientCertificate: true,
    });
    expect(await whoami({ kind: "certificate", user })).toMatchObject({
      status: { userInfo: { username: "cert", groups: ["one", "two", "system:authenticated"] } },
    });
  });

  it.each(["expired", "not_yet_valid"] as const)("with an %s certificate is 401", async (when) => {
    const user = await simulator.addUser({ name: when, clientCertificate: when });
    expect((await ask({ kind: "certificate", user }, "GET", PODS)).status).toBe(401);
  });

  it("with a certificate of another authority is 401", async () => {
    const other = await openAuthority("other", SYSTEM_SURROUNDINGS.random);
    const client = { name: "admin", groups: ["system:masters"], validity: "valid" } as const;
    const certificate = await other.issueClient(client);
    const user = { ...simulator.admin, certificate };
    expect((await ask({ kind: "certificate", user }, "GET", PODS)).status).toBe(401);
  });

  it("with a wrong token, a removed one or none is 401, with the Status of it", async () => {
    const { token } = await simulator.addUser({ name: "gone" });
    simulator.removeUser("gone");
    for (const identity of [
      { kind: "token", token: "wrong" },
      { kind: "token", token },
      { kind: "none" },
    ] as const) {
      const answer = await ask(identity, "GET", PODS);
      expect(answer.status).toBe(401);
      expect(parseJson(answer.text)).toEqual({
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "Unauthorized",
        reason: "Unauthorized",
        code: 401,
      });
    }
  });

  it("may look at health and version without showing anything", async () => {
    for (const path of ["/healthz", "/livez", "/readyz", "/version"]) {
      expect((await ask({ kind: "none" }, "GET", path)).status).toBe(200);
    }
    expect((await ask({ kind: "token", token: "wrong" }, "GET", "/healthz")).status).toBe(401);
  });

  it("is 403 as system:anonymous where anonymous requests are allowed", async () => {
    await using open = await openSimulator({ anonymous: "allowed" });
    const client = openSimulatorClient(open, { kind: "none" });
    const answer = await client.request("GET", "/api/v1/pods");
    client.close();
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('User \\"system:anonymous\\" cannot list');
  });
});

describe("what somebody may do", () => {
  it("is what the rules say: verbs, groups, resources, namespaces and names", async () => {
    const { token } = await simulator.addUser({
      name: "ruled",
      rules: [
        { verbs: ["get", "list"], groups: [""], resources: ["pods"], namespaces: ["web"] },
        { verbs: ["get"], groups: ["apps"], resources: ["deployments"], names: ["api"] },
        { verbs: ["get"], paths: ["/metrics/*"] },
      ],
    });
    const identity = { kind: "token", token } as const;
    const code = async (method: string, path: string): Promise<number> =>
      (await ask(identity, method, path)).status;
    expect(await code("GET", PODS)).toBe(200);
    expect(await code("GET", "/api/v1/namespaces/batch/pods")).toBe(403);
    expect(await code("GET", "/api/v1/pods")).toBe(403);
    expect(await code("GET", "/apis/apps/v1/namespaces/web/deployments/api")).toBe(200);
    expect(await code("GET", "/apis/apps/v1/namespaces/web/deployments/worker")).toBe(403);
    expect(await code("GET", "/apis/apps/v1/namespaces/web/deployments")).toBe(403);
    expect(await code("GET", "/apis/apps/v1/namespaces/web/deployments/api/scale")).toBe(403);
    expect(await code("DELETE", `${PODS}/x`)).toBe(403);
    expect(await code("GET", "/metrics/a")).toBe(404);
    expect(await code("GET", "/metrics")).toBe(403);
    simulator.setRules("ruled", []);
    expect(await code("GET", PODS)).toBe(403);
  });

  it("is answered by an access review with the same rules", async () => {
    const { token } = await simulator.addUser({
      name: "reviewed",
      rules: [{ verbs: ["patch"], groups: ["apps"], resources: ["deployments"], names: ["api"] }],
    });
    const review = async (name: string): Promise<unknown> => {
      const resourceAttributes = {
        verb: "patch",
        group: "apps",
        version: "v1",
        resource: "deployments",
        namespace: "web",
        name,
      };
      const body = { spec: { resourceAttributes } };
      return parseJson((await ask({ kind: "token", token }, "POST", ACCESS, body)).text);
    };
    expect(await review("api")).toMatchObject({ status: { allowed: true } });
    expect(await review("worker")).toMatchObject({ status: { allowed: false } });
  });

  it("never includes impersonation", async () => {
    const client = openSimulatorClient(simulator);
    const headers = { "Impersonate-User": "root" };
    const answer = await client.request("GET", PODS, { headers });
    client.close();
    expect(answer.status).toBe(403);
  });

  it("wants get and create for an exec by GET and names only a missing get", async () => {
    const pod = simulator.objects.list("", "pods", "web")[0]?.metadata.name ?? "";
    const path = `${PODS}/${pod}/exec?container=app&command=true&stdout=true`;
    const { token } = await simulator.addUser({ name: "execer" });
    const message = async (): Promise<string> => {
      const answer = await ask({ kind: "token", token }, "GET", path);
      const json = parseJson(answer.text);
      expect(json).toMatchObject({ code: answer.status });
      return stringAt(json, "message");
    };
    const rule = { groups: [""], resources: ["pods/exec"] };
    expect(await message()).toContain('cannot get resource "pods/exec"');
    simulator.setRules("execer", [{ ...rule, verbs: ["get"] }]);
    expect(await message()).toBe(`pods "${pod}" is forbidden: `);
    simulator.setRules("execer", [{ ...rule, verbs: ["get", "create"] }]);
    expect(await message()).toBe("Upgrade request required");
  });
});

describe("a request's record", () => {
  it("has what was sent but no credential, and the audit id that was answered", async () => {
    simulator.clearRequests();
    const client = openSimulatorClient(simulator);
    const answer = await client.request("GET", `${PODS}?limit=1`, {
      headers: { "Audit-ID": ["first", "second"], "X-Own": "1" },
    });
    client.close();
    expect(answer.headers["audit-id"]).toBe("first");
    const [record] = simulator.requests();
    expect(record).toMatchObject({
      method: "GET",
      path: PODS,
      query: "limit=1",
      user: "admin",
      auditId: "first",
      status: 200,
      executions: 1,
      body: "",
    });
    expect(JSON.stringify(record)).not.toContain(simulator.admin.token);
  });

  it("echoes an audit id of any letters, on refusals too, and makes up a missing one", async () => {
    const client = openSimulatorClient(simulator, { kind: "token", token: "wrong" });
    const id = Buffer.from("é and spaces", "utf8").toString("latin1");
    const odd = await client.request("GET", PODS, { headers: { "Audit-ID": id } });
    const own = await client.request("GET", PODS);
    client.close();
    expect(odd.headers["audit-id"]).toBe(id);
    expect(simulator.requests().at(-2)?.auditId).toBe("é and spaces");
    expect(own.headers["audit-id"]).toMatch(/^[0-9a-f-]{36}$/u);
  });
});
