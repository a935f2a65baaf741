import type {
  DnsLabel,
  DnsSubdomain,
  ExecArgument,
  ResourceVersion,
  Uid,
} from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { makeAccessReview, parseAccessReview } from "./access-review.js";
import { makeDeploymentTarget } from "./deployment.js";
import { makeExecTarget } from "./exec.js";
import { isAnonymous, makeIdentityReview, parseIdentityReview } from "./identity-review.js";
import { makeRestartRequest } from "./restart.js";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const web = "web" as DnsLabel;
const api = "api" as DnsSubdomain;

test("a Deployment is got by its path alone", () => {
  expect(makeDeploymentTarget({ namespace: web, name: api })).toEqual({
    segments: ["apis", "apps", "v1", "namespaces", "web", "deployments", "api"],
  });
});

test("an exec asks for container, argv in order, then the four flags", () => {
  const target = makeExecTarget({
    namespace: web,
    pod: "api-0" as DnsSubdomain,
    container: "app" as DnsLabel,
    command: ["sh", "-c", "echo a && b"] as ExecArgument[],
  });
  expect(target.segments.join("/")).toBe("api/v1/namespaces/web/pods/api-0/exec");
  expect(target.query).toEqual([
    ["container", "app"],
    ["command", "sh"],
    ["command", "-c"],
    ["command", "echo a && b"],
    ["stdin", "false"],
    ["stdout", "true"],
    ["stderr", "true"],
    ["tty", "false"],
  ]);
});

test("a restart patches uid, resourceVersion and one annotation, and nothing else", () => {
  const { body, ...request } = makeRestartRequest({
    namespace: web,
    name: api,
    uid: "0c0ffee0" as Uid,
    resourceVersion: "18446744073709551615" as ResourceVersion,
    marker: "1790000000000",
  });
  expect(request).toEqual({
    method: "PATCH",
    segments: ["apis", "apps", "v1", "namespaces", "web", "deployments", "api"],
    query: [["fieldManager", "connectors"]],
    contentType: "application/strategic-merge-patch+json",
    accept: "application/json",
  });
  expect(text(body)).toBe(
    '{"metadata":{"resourceVersion":"18446744073709551615","uid":"0c0ffee0"},"spec":{"template":' +
      '{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"1790000000000"}}}}}',
  );
});

describe("a SelfSubjectReview", () => {
  const answer = {
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: null },
    status: { userInfo: { username: "ada", groups: ["dev", "system:authenticated"] } },
  };

  test("is posted as its kind alone", () => {
    const { path, body } = makeIdentityReview();
    expect(path).toBe("selfsubjectreviews");
    expect(text(body)).toBe('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  });

  test("names a user and its groups", () => {
    expect(parseIdentityReview(bytes(answer))).toEqual({
      ok: true,
      value: { username: "ada", groups: ["dev", "system:authenticated"] },
    });
  });

  test.each([
    ["of another kind", { ...answer, kind: "TokenReview" }],
    ["of another version", { ...answer, apiVersion: "authentication.k8s.io/v1beta1" }],
    ["without a status", { ...answer, status: undefined }],
    ["with an empty username", { ...answer, status: { userInfo: { username: "" } } }],
    ["with a username of another type", { ...answer, status: { userInfo: { username: 1 } } }],
    [
      "with groups of another type",
      { ...answer, status: { userInfo: { username: "a", groups: [1] } } },
    ],
  ])("%s is refused", (_what, value) => {
    const outcome = parseIdentityReview(bytes(value));
    expect(outcome.ok || outcome.failure.code).toBe("upstream_protocol");
  });

  test("is anonymous by its name or by its group", () => {
    expect(isAnonymous({ username: "system:anonymous", groups: [] })).toBe(true);
    expect(isAnonymous({ username: "guest", groups: ["system:unauthenticated"] })).toBe(true);
    expect(isAnonymous({ username: "ada", groups: ["system:authenticated"] })).toBe(false);
  });
});

describe("a SelfSubjectAccessReview", () => {
  const asked = {
    verb: "patch",
    group: "apps",
    version: "v1",
    resource: "deployments",
    subresource: "",
    namespace: "web",
    name: "api",
  };
  const { subresource: _, ...echo } = asked;
  const answer = (status: unknown, resourceAttributes: unknown = echo): Uint8Array =>
    bytes({
      kind: "SelfSubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      spec: { resourceAttributes },
      status,
    });

  test("is posted for exactly one request", () => {
    const { path, body } = makeAccessReview(asked);
    expect(path).toBe("selfsubjectaccessreviews");
    expect(JSON.parse(text(body))).toEqual({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: asked },
    });
  });

  test.each([
    ["yes", { allowed: true }, "allowed"],
    ["yes with a reason", { allowed: true, denied: false, reason: "RBAC" }, "allowed"],
    ["no opinion", { allowed: false }, "denied"],
    ["no", { allowed: false, denied: true }, "denied"],
    ["both", { allowed: true, denied: true }, "unclear"],
    ["neither", {}, "unclear"],
    ["yes, but the evaluation failed", { allowed: true, evaluationError: "x" }, "unclear"],
  ])("that says %s is read so", (_what, status, verdict) => {
    expect(parseAccessReview(answer(status), asked)).toEqual({ ok: true, value: verdict });
  });

  test("about another request than the one asked is unclear", () => {
    const outcome = parseAccessReview(answer({ allowed: true }, { ...echo, verb: "get" }), asked);
    expect(outcome).toEqual({ ok: true, value: "unclear" });
  });

  test("with a verdict of another type, or of another kind, is refused", () => {
    for (const body of [answer({ allowed: "true" }), bytes({ status: { allowed: true } })]) {
      const outcome = parseAccessReview(body, asked);
      expect(outcome.ok || outcome.failure.code).toBe("upstream_protocol");
    }
  });
});
