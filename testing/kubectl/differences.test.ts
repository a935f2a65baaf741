import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  parseDnsLabel,
  parseDnsSubdomain,
  parseExecArgument,
  parseResourceVersion,
  parseUid,
  type Parsed,
} from "@connectors/domain";
import {
  execSubprotocolNames,
  makeAccessReview,
  makeExecTarget,
  makeRestartRequest,
} from "@connectors/kubernetes-client/request";
import { expect, test } from "vitest";
import { differences, type Difference } from "./differences.js";
import { kubectlMinor } from "./find-kubectl.js";
import type { RecordedRequest, Recording } from "./recording.js";

const file = join(import.meta.dirname, "recorded", `kubectl-${kubectlMinor}.json`);
const recordings = JSON.parse(readFileSync(file, "utf8")) as readonly Recording[];

function must<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}

function recorded(flow: string): readonly RecordedRequest[] {
  return recordings.find((recording) => recording.flow === flow)?.requests ?? [];
}

function queryNames(query: string): string {
  return [...new Set(new URLSearchParams(query).keys())].join(", ");
}

const restart = makeRestartRequest({
  namespace: must(parseDnsLabel("web")),
  name: must(parseDnsSubdomain("api")),
  uid: must(parseUid("u")),
  resourceVersion: must(parseResourceVersion("1")),
  marker: "1767225600000",
});
const exec = makeExecTarget({
  namespace: must(parseDnsLabel("web")),
  pod: must(parseDnsSubdomain("api-0")),
  container: must(parseDnsLabel("app")),
  command: [must(parseExecArgument("echo")), must(parseExecArgument("hello"))],
});
const review = makeAccessReview({
  verb: "patch",
  group: "apps",
  version: "v1",
  resource: "deployments",
  subresource: "",
  namespace: "web",
  name: "api",
});

/** What each side does, by the name of the difference. */
function observe(): ReadonlyMap<string, readonly [kubectl: string, ours: string]> {
  const [, patch] = recorded("rollout restart");
  const theirs = recorded("exec that fails");
  const upgrade = theirs.find(({ headers }) => headers["upgrade"] === "websocket");
  const body = JSON.parse(new TextDecoder().decode(restart.body)) as {
    metadata?: { uid?: string; resourceVersion?: string };
    spec: { template: { metadata: { annotations: Record<string, string> } } };
  };
  const marker = Object.values(body.spec.template.metadata.annotations)[0] ?? "";
  const guard = body.metadata?.uid === undefined ? "none" : "uid and resourceVersion";
  const methods = (requests: readonly { method: string }[]): string =>
    requests.map(({ method }) => method).join(", ");
  const manager = (query: string): string => new URLSearchParams(query).get("fieldManager") ?? "";
  const pairs = (restart.query ?? []).map((pair): [string, string] => [...pair]);
  const ourQuery = [...new Set((exec.query ?? []).map(([name]) => name))].join(", ");
  return new Map([
    [
      "restart requests",
      [
        methods(recorded("rollout restart")),
        methods([{ method: review.path === "selfsubjectaccessreviews" ? "POST" : "" }, restart]),
      ],
    ],
    [
      "restart fieldManager",
      [manager(patch?.query ?? ""), manager(new URLSearchParams(pairs).toString())],
    ],
    ["restart guard", [patch?.body.includes("resourceVersion") === false ? "none" : "some", guard]],
    [
      "restart marker",
      [
        patch?.body.includes("{time}") === true ? "RFC 3339 seconds" : "other",
        /^\d{13}$/.test(marker) ? "epoch milliseconds" : "other",
      ],
    ],
    ["restart accept", [patch?.headers["accept"] ?? "", restart.accept]],
    // By Deployment kubectl looks up a Pod first; by Pod it reads that one. Either way one more.
    ["exec requests", [methods(theirs.slice(-2)), "GET"]],
    [
      "exec subprotocol",
      [upgrade?.headers["sec-websocket-protocol"] ?? "", execSubprotocolNames.v4],
    ],
    ["exec query", [queryNames(upgrade?.query ?? ""), ourQuery]],
    [
      "both audit-id",
      [patch?.headers["audit-id"] ?? upgrade?.headers["audit-id"] ?? "none", "the attempt's id"],
    ],
  ]);
}

test.each(
  differences.map(
    (difference) => [`${difference.request} ${difference.what}`, difference] as const,
  ),
)("%s differs as it is written down", (name, { kubectl, ours }: Difference) => {
  expect(observe().get(name)).toEqual([kubectl, ours]);
});

test("whatever is observed to differ is written down", () => {
  const known = differences.map(({ request, what }) => `${request} ${what}`);
  const differing = [...observe()].filter(([, [kubectl, ours]]) => kubectl !== ours);
  expect(differing.map(([name]) => name).toSorted()).toEqual(known.toSorted());
});

test("both patch the same path with the same content type", () => {
  const [, patch] = recorded("rollout restart");
  expect(`/${restart.segments.join("/")}`).toBe(patch?.path);
  expect(restart.contentType).toBe(patch?.headers["content-type"]);
});
