import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defaultSeed } from "../default-seed.js";
import { parseJson } from "../json-value.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";
import type { AdmissionHook } from "./hook.js";

const PATH = "/apis/apps/v1/namespaces/web/deployments/api";
const match = { operations: ["UPDATE"], resource: "deployments.apps", name: "api" } as const;

let simulator: Simulator;
let client: SimulatorClient;

beforeAll(async () => {
  const timers = { after: () => () => undefined };
  simulator = await openSimulator({ seed: defaultSeed(), surroundings: { timers } });
  client = openSimulatorClient(simulator);
});

afterAll(async () => {
  client.close();
  await simulator.close();
});

async function patchWith(hook: AdmissionHook, guard: object = {}): Promise<unknown> {
  const before = simulator.objects.version();
  const remove = simulator.addAdmission(hook);
  const answer = await client.request("PATCH", PATH, {
    contentType: "application/strategic-merge-patch+json",
    body: { metadata: { ...guard, annotations: { a: "b" } } },
  });
  remove();
  expect(simulator.objects.version()).toBe(before);
  return parseJson(answer.text);
}

const webhook = { kind: "webhook", phase: "validating", name: "deny.example.com", match } as const;
const DENIED = 'admission webhook "deny.example.com" denied the request';

describe("a webhook that denies", () => {
  it.each([
    ["nothing more", undefined, { code: 400, message: `${DENIED} without explanation` }],
    [
      "a message and code 200",
      { code: 200, message: "no" },
      { code: 400, message: `${DENIED}: no` },
    ],
    [
      "403 Forbidden",
      { code: 403, reason: "Forbidden", message: "no" },
      { code: 403, reason: "Forbidden", message: `${DENIED}: no` },
    ],
    [
      "409 with details of its own",
      { code: 409, reason: "Conflict", details: { name: "x", kind: "y" } },
      { code: 409, reason: "Conflict", details: { name: "x", kind: "y" } },
    ],
    ["500", { code: 500, message: "no" }, { code: 500, message: `${DENIED}: no` }],
  ])("with %s", async (_how, denial, expected) => {
    const hook = denial === undefined ? webhook : { ...webhook, denial };
    expect(await patchWith(hook)).toMatchObject(expected);
  });

  it("is asked before the version check when mutating, after it when validating", async () => {
    const guard = { resourceVersion: "1" };
    expect(await patchWith(webhook, guard)).toMatchObject({ code: 409, reason: "Conflict" });
    const mutating = { ...webhook, phase: "mutating" } as const;
    expect(await patchWith(mutating, guard)).toMatchObject({ code: 400 });
  });
});

describe("a webhook that cannot be asked", () => {
  it.each(["timeout", "http_500", "unreachable"] as const)("(%s) is a 500", async (failure) => {
    const hook = { ...webhook, kind: "webhook_failure", failure } as const;
    expect(await patchWith(hook)).toMatchObject({
      code: 500,
      reason: "InternalError",
      details: {
        causes: [{ message: expect.stringContaining('failed calling webhook "deny.example.com"') }],
      },
    });
  });
});

describe("a policy that denies", () => {
  it("is 422 with one cause without a field", async () => {
    const hook = { kind: "policy", policy: "p", binding: "b", message: "no", match } as const;
    const why = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no";
    expect(await patchWith(hook)).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: `deployments.apps "api" is forbidden: ${why}`,
      details: { name: "api", group: "apps", kind: "deployments", causes: [{ message: why }] },
    });
  });
});
