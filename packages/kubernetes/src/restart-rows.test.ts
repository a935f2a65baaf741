import {
  bodyBytesMax,
  requestMsDefault,
  restartSettleMatrix,
  type RestartSettleRow,
} from "@connectors/domain";
import type { JsonObject, Settlement } from "@connectors/sdk";
import {
  answering,
  encodeAnswer,
  headerOf,
  openHostilePeer,
  type HostilePeer,
  type PeerConnection,
  type PeerScript,
  type SeenRequest,
} from "@connectors/transport/testing";
import { describe, expect, test } from "vitest";
import {
  benchCorrelation,
  openDispatchBench,
  untilReady,
  type DispatchBench,
} from "./testing/dispatch-bench.js";

const input: JsonObject = {
  namespace: "web",
  name: "api",
  uid: "0c0ffee0-0000-4000-8000-000000000001",
  resource_version: "812",
};

interface Body {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
  readonly spec: {
    readonly template: { readonly metadata: { readonly annotations: Record<string, string> } };
  };
}

function readBody(request: SeenRequest): Body {
  return JSON.parse(request.body.toString()) as Body;
}

/** The Deployment that a server answers a restart with, its version moved on. */
function restarted(request: SeenRequest, change: { uid?: string; version?: string } = {}): object {
  const { metadata, spec } = readBody(request);
  return {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: {
      name: "api",
      namespace: "web",
      uid: change.uid ?? metadata.uid,
      resourceVersion: change.version ?? "813",
      generation: 2,
    },
    spec: { replicas: 1, template: { metadata: spec.template.metadata, spec: { containers: [] } } },
    status: {},
  };
}

/** What a v1.35 server says in each case, as it was seen. */
function status(code: number, reason: string | undefined, more: object = {}): object {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "s3cret",
    ...(reason === undefined ? {} : { reason }),
    details: { name: "api", group: "apps", kind: "deployments" },
    code,
    ...more,
  };
}

const uidCauses = [
  { reason: "FieldValueInvalid", message: "s3cret", field: "metadata.uid" },
  { reason: "FieldValueInvalid", message: "s3cret", field: "metadata.uid" },
];
const staleUid = status(422, "Invalid", {
  details: { name: "api", group: "apps", kind: "Deployment", causes: uidCauses },
});
const policyDenied = status(422, "Invalid", {
  details: { name: "api", group: "apps", kind: "deployments", causes: [{ message: "s3cret" }] },
});
const webhookDenied = status(400, undefined, {
  message: 'admission webhook "s3cret.example" denied the request without explanation',
  details: undefined,
});
const unauthorized = status(401, "Unauthorized", { details: undefined });

/** A peer that allows the review, then does this with the PATCH. */
function patching(
  patch: (connection: PeerConnection, request: SeenRequest) => Promise<void>,
): PeerScript {
  return async (connection) => {
    for (;;) {
      const request = await connection.readRequest();
      if (request === undefined) return;
      if (request.method === "POST") await connection.write(encodeAnswer(allowing(request)));
      else await patch(connection, request);
    }
  };
}

function allowing(request: SeenRequest): { readonly status: number; readonly body: string } {
  const { spec, ...review } = JSON.parse(request.body.toString()) as { readonly spec: object };
  return { status: 201, body: JSON.stringify({ ...review, spec, status: { allowed: true } }) };
}

function answeringPatch(
  code: number,
  body: object | string | ((request: SeenRequest) => object),
): PeerScript {
  return patching(async (connection, request) => {
    const value = typeof body === "function" ? body(request) : body;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    await connection.write(encodeAnswer({ status: code, body: text }));
  });
}

interface Row {
  readonly peer: PeerScript;
  readonly intermediary?: "may_resend";
  /** What happens while the PATCH is under way. */
  readonly meanwhile?: (bench: DispatchBench, peer: HostilePeer) => Promise<void>;
  readonly settles: object;
}

const refused = (code: string, httpStatus: number): object => ({
  kind: "refused",
  stage: "response",
  failure: { code, effect: "none", retry: "new_key" },
  provider: { http_status: httpStatus, resource_version: null },
});
const unknown = (code: string, httpStatus: number | null = null): object => ({
  kind: "unknown",
  code,
  stage: httpStatus === null ? "dispatch" : "response",
  failure: { code: "outcome_unknown", effect: "unknown", retry: "after_check" },
  provider: { http_status: httpStatus, resource_version: null },
});

const accepted: Row = {
  peer: answeringPatch(200, restarted),
  settles: {
    kind: "applied",
    result: { ...input, resource_version: "813", patch_accepted: true },
    summary: null,
    provider: { http_status: 200, resource_version: "813" },
  },
};

/** What makes each row happen on a socket; the table's own facts are never made by hand. */
const rows: Readonly<Record<Exclude<RestartSettleRow, "not_sent">, Row>> = {
  answer_lost: {
    peer: patching((connection) => connection.hang()),
    meanwhile: async ({ ambient }, peer) => {
      await untilReady(() => patchesOf(peer).length === 1);
      ambient.advance(requestMsDefault);
    },
    settles: unknown("timeout"),
  },
  accepted,
  accepted_other: {
    peer: answeringPatch(200, (request) => restarted(request, { uid: "another" })),
    settles: unknown("upstream_protocol", 200),
  },
  may_be_resent: {
    peer: answeringPatch(409, status(409, "Conflict")),
    intermediary: "may_resend",
    settles: unknown("unavailable", 409),
  },
  webhook_denied: { peer: answeringPatch(400, webhookDenied), settles: refused("forbidden", 400) },
  conflict: {
    peer: answeringPatch(409, status(409, "Conflict")),
    settles: refused("invalid_input", 409),
  },
  not_found: {
    peer: answeringPatch(404, status(404, "NotFound")),
    settles: refused("not_found", 404),
  },
  forbidden: {
    peer: answeringPatch(403, status(403, "Forbidden")),
    settles: refused("forbidden", 403),
  },
  invalid: { peer: answeringPatch(422, staleUid), settles: refused("invalid_input", 422) },
  policy_denied: { peer: answeringPatch(422, policyDenied), settles: refused("forbidden", 422) },
  unauthorized: { peer: answeringPatch(401, unauthorized), settles: refused("unauthorized", 401) },
  otherwise: {
    peer: answeringPatch(500, status(500, "InternalError")),
    settles: unknown("unavailable", 500),
  },
};

async function settle({ peer: script, intermediary, meanwhile }: Omit<Row, "settles">): Promise<{
  readonly settlement: Settlement;
  readonly patches: readonly SeenRequest[];
}> {
  const peer = await openHostilePeer({ script });
  await using bench = openDispatchBench(
    peer.url,
    intermediary === undefined ? {} : { intermediary },
  );
  const dispatched = bench.dispatch("deployment.rollout_restart", input);
  await meanwhile?.(bench, peer);
  const settlement = await dispatched;
  await peer[Symbol.asyncDispose]();
  return { settlement, patches: patchesOf(peer) };
}

function patchesOf(peer: HostilePeer): readonly SeenRequest[] {
  return peer.requests().filter(({ method }) => method === "PATCH");
}

describe("every row of the restart table, through a socket", () => {
  test.each(restartSettleMatrix.rows.map(({ row }) => row))("restart row %s", async (row) => {
    if (row === "not_sent") {
      // The address answers the review, and nobody listens when the PATCH is due.
      const peer = await openHostilePeer({ script: accepted.peer });
      await using bench = openDispatchBench(peer.url);
      const prepared = await bench.prepare("deployment.rollout_restart", input);
      await peer[Symbol.asyncDispose]();
      if (!prepared.ok) throw new Error(prepared.failure.message);
      expect(await bench.execute(prepared.value)).toMatchObject({
        kind: "refused",
        stage: "dispatch",
        failure: { code: "unavailable", effect: "none", retry: "new_key" },
        provider: { http_status: null },
      });
      expect(patchesOf(peer)).toEqual([]);
      return;
    }
    const { settlement, patches } = await settle(rows[row]);
    expect(settlement).toMatchObject(rows[row].settles);
    expect(patches.length).toBe(1);
    expect(JSON.stringify(settlement)).not.toContain("s3cret");
  });
});

describe("the request", () => {
  test("is one PATCH of uid, version and marker that carries the attempt's id", async () => {
    const { patches } = await settle(accepted);
    const [patch] = patches;
    expect(patch?.target).toBe(
      "/apis/apps/v1/namespaces/web/deployments/api?fieldManager=connectors",
    );
    expect(patch && headerOf(patch, "content-type")).toBe("application/strategic-merge-patch+json");
    expect(patch && headerOf(patch, "audit-id")).toBe(benchCorrelation);
    expect(patch && readBody(patch)).toEqual({
      metadata: { uid: input["uid"], resourceVersion: "812" },
      // The bench's clock stands at the first millisecond of 2026.
      spec: {
        template: {
          metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "1767225600000" } },
        },
      },
    });
  });
});

describe("what else can be answered", () => {
  const named = (details: object): object => status(409, "Conflict", { details });
  test.each([
    [
      "a conflict of another Deployment",
      409,
      named({ name: "x", group: "apps", kind: "deployments" }),
      unknown("unavailable", 409),
    ],
    [
      "a conflict of a Pod",
      409,
      named({ name: "api", group: "", kind: "pods" }),
      unknown("unavailable", 409),
    ],
    ["a conflict without details", 409, named({}), unknown("unavailable", 409)],
    [
      "a 409 that says AlreadyExists",
      409,
      status(409, "AlreadyExists"),
      unknown("unavailable", 409),
    ],
    ["a 409 without a body", 409, "", unknown("unavailable", 409)],
    ["a 409 whose Status says 404", 409, status(404, "NotFound"), unknown("unavailable", 409)],
    ["a 404 of a proxy", 404, "404 page not found", unknown("unavailable", 404)],
    ["a 404 as 410", 410, status(410, "NotFound"), unknown("unavailable", 410)],
    ["an Invalid without a cause", 422, status(422, "Invalid"), unknown("unavailable", 422)],
    [
      "an Invalid with empty details",
      422,
      status(422, "Invalid", { details: {} }),
      unknown("unavailable", 422),
    ],
    ["a 401 without a reason", 401, status(401, undefined), unknown("unavailable", 401)],
    [
      "a 403 of another group",
      403,
      status(403, "Forbidden", { details: { name: "api", group: "", kind: "deployments" } }),
      unknown("unavailable", 403),
    ],
    [
      "a 400 without a webhook's words",
      400,
      status(400, "BadRequest"),
      unknown("unavailable", 400),
    ],
    ["a 415", 415, status(415, "UnsupportedMediaType"), unknown("unavailable", 415)],
    ["a 429", 429, status(429, "TooManyRequests"), unknown("unavailable", 429)],
    ["a 503", 503, "", unknown("unavailable", 503)],
    [
      "a webhook that failed, in a 500",
      500,
      status(500, "InternalError", { message: 'admission webhook "x" denied the request' }),
      unknown("unavailable", 500),
    ],
    [
      "a webhook's denial with a conflict's details",
      409,
      status(409, "Conflict", { message: 'admission webhook "x" denied the request: no' }),
      refused("forbidden", 409),
    ],
    [
      "a webhook's denial as 403",
      403,
      status(403, "Forbidden", {
        message: 'admission webhook "x" denied the request: no',
        details: undefined,
      }),
      refused("forbidden", 403),
    ],
    ["a redirect", 307, "", unknown("unavailable", 307)],
    [
      "a 200 that is a Status",
      200,
      { ...status(200, undefined), status: "Success" },
      unknown("upstream_protocol", 200),
    ],
    ["a 200 without a body", 200, "", unknown("upstream_protocol", 200)],
    ["a 202 as it should be", 202, restarted, { kind: "applied" }],
    [
      "a 200 with the version in letters",
      200,
      (request: SeenRequest) => restarted(request, { version: "abc" }),
      { kind: "applied_failure", failure: { code: "upstream_protocol", effect: "applied" } },
    ],
    [
      "a 200 without a version",
      200,
      (request: SeenRequest) => restarted(request, { version: "" }),
      unknown("upstream_protocol", 200),
    ],
  ] as readonly (readonly [string, number, Parameters<typeof answeringPatch>[1], object])[])(
    "%s",
    async (_what, code, body, settles) => {
      const { settlement, patches } = await settle({ peer: answeringPatch(code, body) });
      expect(settlement).toMatchObject(settles);
      expect(patches.length).toBe(1);
    },
  );

  test.each([
    ["422", 422, staleUid, unknown("unavailable", 422)],
    [
      "404, which no second send can make of a first one that was applied",
      404,
      status(404, "NotFound"),
      refused("not_found", 404),
    ],
  ])("where something may send again: a %s", async (_what, code, body, settles) => {
    const peer = answeringPatch(code, body);
    const { settlement } = await settle({ peer, intermediary: "may_resend" });
    expect(settlement).toMatchObject(settles);
  });

  test("an answer one byte larger than its bound is capacity", async () => {
    const padded = (request: SeenRequest, bytes: number): string => {
      const text = JSON.stringify(restarted(request));
      return text + " ".repeat(bytes - text.length);
    };
    const sized = (bytes: number): PeerScript =>
      patching(async (connection, request) => {
        await connection.write(encodeAnswer({ status: 200, body: padded(request, bytes) }));
      });
    expect((await settle({ peer: sized(bodyBytesMax) })).settlement).toMatchObject({
      kind: "applied",
    });
    expect((await settle({ peer: sized(bodyBytesMax + 1) })).settlement).toMatchObject({
      kind: "unknown",
      code: "capacity",
    });
  });

  test("a connection that is reset is lost", async () => {
    const { settlement } = await settle({
      peer: patching((connection) => {
        connection.reset();
        return connection.hang();
      }),
    });
    expect(settlement).toMatchObject(unknown("unavailable"));
  });

  test("a body that is cut is lost", async () => {
    const { settlement } = await settle({
      peer: patching(async (connection, request) => {
        const whole = encodeAnswer({ status: 200, body: JSON.stringify(restarted(request)) });
        await connection.write(whole.subarray(0, whole.length - 1));
        connection.finish();
      }),
    });
    expect(settlement).toMatchObject({ kind: "unknown", stage: "dispatch" });
  });
});

describe("the review before the gate", () => {
  const reviewing = (
    answer: (request: SeenRequest) => { status: number; body?: string },
  ): PeerScript => answering(answer);
  const saying = (verdict: object): PeerScript =>
    reviewing((request) => {
      const review = JSON.parse(request.body.toString()) as object;
      return { status: 201, body: JSON.stringify({ ...review, status: verdict }) };
    });

  test.each([
    [
      "no",
      saying({ allowed: false }),
      "forbidden",
      /RBAC must allow patch on deployments.apps in namespace web/,
    ],
    ["neither yes nor no", saying({}), "unavailable", /./],
    ["yes and no", saying({ allowed: true, denied: true }), "unavailable", /./],
    [
      "yes, but could not evaluate",
      saying({ allowed: true, evaluationError: "s3cret" }),
      "unavailable",
      /./,
    ],
    [
      "something about another name",
      reviewing((request) => ({
        status: 201,
        body: request.body
          .toString()
          .replace('"api"', '"x"')
          .replace(/}$/, ',"status":{"allowed":true}}'),
      })),
      "unavailable",
      /./,
    ],
    ["401", reviewing(() => ({ status: 401 })), "unauthorized", /./],
    ["403", reviewing(() => ({ status: 403 })), "forbidden", /create on selfsubjectaccessreviews/],
    ["500", reviewing(() => ({ status: 500 })), "unavailable", /./],
    ["text", reviewing(() => ({ status: 200, body: "yes" })), "upstream_protocol", /./],
  ])("that says %s ends it, with no PATCH", async (_what, script, code, hint) => {
    await using peer = await openHostilePeer({ script });
    await using bench = openDispatchBench(peer.url);
    const prepared = await bench.prepare("deployment.rollout_restart", input);
    expect(prepared.ok || prepared.failure.code).toBe(code);
    expect(prepared.ok || prepared.failure.hint).toMatch(hint);
    expect(JSON.stringify(prepared)).not.toContain("s3cret");
    expect(peer.requests().map(({ method }) => method)).toEqual(["POST"]);
  });

  test("asks for exactly this PATCH", async () => {
    await using peer = await openHostilePeer({ script: accepted.peer });
    await using bench = openDispatchBench(peer.url);
    expect((await bench.prepare("deployment.rollout_restart", input)).ok).toBe(true);
    const [review] = peer.requests();
    expect(review?.target).toBe("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
    expect(JSON.parse(review?.body.toString() ?? "")).toMatchObject({
      spec: {
        resourceAttributes: {
          verb: "patch",
          group: "apps",
          version: "v1",
          resource: "deployments",
          subresource: "",
          namespace: "web",
          name: "api",
        },
      },
    });
  });
});
