import { parseKubernetesConfiguration } from "@connectors/domain";
import { invariant, makeFailure } from "@connectors/sdk";
import { describe, expect, test } from "vitest";
import { extractRestartEvidence } from "./restart-facts.js";
import { prepareRestart, type RestartPlan } from "./restart-prepare.js";

const configuration = parseKubernetesConfiguration({
  namespaces: ["web"],
  operations: ["deployment.rollout_restart"],
  exec_subprotocols: ["v4"],
  intermediary: "none",
});
invariant(configuration.ok, "the configuration fits its model");
const prepared = prepareRestart(
  { namespace: "web", name: "api", uid: "u-1", resource_version: "812" },
  configuration.value,
  1_790_000_000_000,
);
invariant(prepared.ok, "the input fits its model");
const plan: RestartPlan = prepared.value;

function factsOf(
  status: number,
  body: unknown,
): ReturnType<typeof extractRestartEvidence>["facts"] {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const answer = { status, headers: new Map<string, string>(), body: bytes };
  return extractRestartEvidence(plan, { arrival: "answered", answer }).facts;
}

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "web", name: "api", uid: "u-1", resourceVersion: "900" },
  spec: {
    template: {
      metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "1790000000000" } },
    },
  },
};
const failure = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "x",
  reason: "Conflict",
  details: { name: "api", group: "apps", kind: "deployments" },
  code: 409,
};

test("the marker is the host's clock in milliseconds, as a decimal string", () => {
  expect(plan.marker).toBe("1790000000000");
});

describe("the object of a 2xx", () => {
  test("is exact with this namespace, name, uid, some version and the marker", () => {
    expect(factsOf(200, deployment)).toMatchObject({ code: "c2xx", object: "exact" });
    expect(factsOf(201, deployment)).toMatchObject({ code: "c2xx", object: "exact" });
  });

  test.each([
    ["namespace", { ...deployment, metadata: { ...deployment.metadata, namespace: "w" } }],
    ["name", { ...deployment, metadata: { ...deployment.metadata, name: "ap" } }],
    ["uid", { ...deployment, metadata: { ...deployment.metadata, uid: "u-2" } }],
    ["marker", { ...deployment, spec: {} }],
  ])("with another %s is other", (_what, object) => {
    expect(factsOf(200, object).object).toBe("other");
  });

  test.each([
    ["no JSON", "ok"],
    ["another kind", { ...deployment, kind: "ReplicaSet" }],
    ["a v1 Status", { ...failure, status: "Success" }],
    ["no version", { ...deployment, metadata: { ...deployment.metadata, resourceVersion: "" } }],
  ])("that is %s is none", (_what, body) => {
    expect(factsOf(200, body).object).toBe("none");
  });
});

describe("the Status of a refusal", () => {
  test("is a Failure about this Deployment", () => {
    expect(factsOf(409, failure)).toMatchObject({
      code: "c409",
      object: "none",
      reason: "Conflict",
      details: "this_deployment",
      causes: "none",
      webhook: false,
    });
  });

  test.each([
    ["a Success", { ...failure, status: "Success" }],
    ["one without a kind", { ...failure, kind: undefined }],
    ["one whose code is another than the answer's", { ...failure, code: 422 }],
    ["text", "conflict"],
  ])("is none when it is %s", (_what, body) => {
    expect(factsOf(409, body)).toMatchObject({ reason: "none", details: "none" });
  });

  test("need not say its code", () => {
    expect(factsOf(409, { ...failure, code: undefined }).reason).toBe("Conflict");
  });

  test.each([
    ["another name", { ...failure.details, name: "ap" }],
    ["another group", { ...failure.details, group: "" }],
    ["another kind", { ...failure.details, kind: "pods" }],
    ["the kind's own name, which only validation uses", { ...failure.details, kind: "Deployment" }],
    ["nothing", {}],
  ])("whose details name %s is about something else", (_what, details) => {
    expect(factsOf(409, { ...failure, details }).details).toBe("other");
  });

  test("of a validation names the kind or the resource", () => {
    for (const kind of ["deployments", "Deployment"]) {
      const body = {
        ...failure,
        code: 422,
        reason: "Invalid",
        details: { ...failure.details, kind },
      };
      expect(factsOf(422, body)).toMatchObject({ reason: "Invalid", details: "this_deployment" });
    }
  });

  test.each([
    ["with_field", [{ message: "a" }, { field: "metadata.uid" }]],
    ["without_field", [{ message: "a" }, { field: "" }]],
    ["none", []],
  ])("has causes %s", (causes, list) => {
    const details = { ...failure.details, causes: list };
    expect(factsOf(422, { ...failure, code: 422, reason: "Invalid", details }).causes).toBe(causes);
  });

  test.each([
    ['admission webhook "x.example" denied the request: no', true],
    ['admission webhook "x.example" denied the request', true],
    ['failed calling webhook "x.example": denied the request', false],
    ["denied the request by admission webhook", false],
    [' admission webhook "x" denied the request', false],
  ])("with the message %j is a webhook's denial: %s", (message, webhook) => {
    expect(factsOf(400, { ...failure, code: 400, reason: "", message }).webhook).toBe(webhook);
  });

  test.each([
    [undefined, "none"],
    ["", "none"],
    ["Timeout", "other"],
    ["Unauthorized", "Unauthorized"],
    ["NotFound", "NotFound"],
    ["Forbidden", "Forbidden"],
  ])("with the reason %j is %s", (reason, fact) => {
    expect(factsOf(409, { ...failure, reason }).reason).toBe(fact);
  });
});

test("without an answer every other fact is none", () => {
  const seen = { arrival: "lost", failure: makeFailure("timeout", "x") } as const;
  expect(extractRestartEvidence(plan, seen).facts).toEqual({
    arrival: "lost",
    code: "other",
    object: "none",
    reason: "none",
    details: "none",
    causes: "none",
    webhook: false,
    intermediary: "none",
  });
});
