import { restartAnswerBytesMax } from "@connectors/domain";
import type { Outcome } from "@connectors/sdk";
import { parseAccessReview } from "../request/access-review.js";
import { parseDeployment } from "../request/deployment.js";
import { parseIdentityReview } from "../request/identity-review.js";
import { parseExecStatus, parseStatus } from "../request/status.js";

/** One parser of foreign bytes: it answers with an outcome and never throws, whatever it is given. */
export interface ParserTarget {
  readonly name: string;
  /** A document that it accepts, for a fuzzer to change. */
  readonly seed: string;
  readonly parse: (bytes: Uint8Array) => Outcome<unknown>;
}

const asked = {
  verb: "patch",
  group: "apps",
  version: "v1",
  resource: "deployments",
  subresource: "",
  namespace: "web",
  name: "api",
};

/** Every parser of what an API server answers. */
export const parserTargets: readonly ParserTarget[] = [
  {
    name: "parseStatus",
    seed: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"m","reason":"Invalid","details":{"name":"api","group":"apps","kind":"deployments","causes":[{"reason":"r","message":"m","field":"f"}],"retryAfterSeconds":1},"code":422}',
    parse: parseStatus,
  },
  {
    name: "parseExecStatus",
    seed: '{"metadata":{},"status":"Failure","message":"m","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}',
    parse: parseExecStatus,
  },
  {
    name: "parseDeployment",
    seed: '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"namespace":"web","name":"api","uid":"u","resourceVersion":"8","generation":2},"spec":{"replicas":3,"paused":false,"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"1"}},"spec":{"containers":[{"image":"i"}]}}},"status":{"readyReplicas":3}}',
    parse: (bytes) => parseDeployment(bytes, restartAnswerBytesMax),
  },
  {
    name: "parseIdentityReview",
    seed: '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1","status":{"userInfo":{"username":"ada","groups":["g"]}}}',
    parse: parseIdentityReview,
  },
  {
    name: "parseAccessReview",
    seed: '{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"resourceAttributes":{"verb":"patch","group":"apps","version":"v1","resource":"deployments","namespace":"web","name":"api"}},"status":{"allowed":true}}',
    parse: (bytes) => parseAccessReview(bytes, asked),
  },
];
