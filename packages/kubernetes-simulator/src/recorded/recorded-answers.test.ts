import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import {
  arrayAt,
  isJsonArray,
  isJsonObject,
  parseJson,
  stringAt,
  type JsonValue,
} from "../json-value.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

// What a v1.35.4 API server answered to these very requests. The server's own words are compared
// too, since clients match them; where ours differ the reason stands here.

interface RecordedRefusal {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  /** Asked as this user, who may do nothing. */
  readonly as?: string;
  readonly body?: string;
  readonly status: number;
  readonly answer: JsonValue;
}

interface RecordedPatch {
  readonly id: string;
  readonly contentType: string;
  readonly patch: JsonValue;
  readonly status: number;
  readonly warning?: string;
  readonly changes?: readonly { readonly path: string; readonly value?: JsonValue }[];
  readonly answer?: JsonValue;
}

const readRecording = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

const refusals = readRecording("refusals.json") as {
  readonly manifest: JsonValue;
  readonly cases: readonly RecordedRefusal[];
};
const patches = readRecording("patches.json") as {
  readonly manifest: JsonValue;
  readonly original: JsonValue;
  readonly cases: readonly RecordedPatch[];
};

const N = "/apis/apps/v1/namespaces/recorded/deployments";

let simulator: Simulator;
let admin: SimulatorClient;
let nobody: SimulatorClient;

beforeAll(async () => {
  simulator = await openSimulator({ pace: { podReadyMs: 1, podReplaceMs: 1 } });
  admin = openSimulatorClient(simulator);
  const { token } = await simulator.addUser({ name: "jane" });
  nobody = openSimulatorClient(simulator, { kind: "token", token });
  const json = { contentType: "application/json" };
  const namespace = { metadata: { name: "recorded" } };
  await admin.request("POST", "/api/v1/namespaces", { ...json, body: namespace });
  await admin.request("POST", N, { ...json, body: refusals.manifest });
  await admin.request("POST", N, { ...json, body: patches.manifest });
  // The controller has looked at a paused Deployment when it has written both conditions.
  await vi.waitUntil(() => {
    const rich = simulator.objects.get("apps", "deployments", "recorded", "rich");
    return arrayAt(rich?.status, "conditions").length === 2;
  }, 10_000);
});

afterAll(async () => {
  admin.close();
  nobody.close();
  await simulator.close();
});

// Versions and ids are the cluster's own.
function normalize(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return value
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, "UID")
      .replaceAll(/current: \d+/gu, "current: N")
      .replaceAll(/2\d{3}-\d\d-\d\dT[\d:]+Z/gu, "TIME");
  }
  if (isJsonArray(value)) return value.map(normalize);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normalize(member)]));
}

/** Why an answer of ours is worded otherwise; the code and the reason are the same all the same. */
const REWORDED: readonly { readonly when: RegExp; readonly why: string }[] = [
  { when: /json parse error: unexpected end of JSON input \(\{\)/u, why: "how a body is quoted" },
  { when: /Go value of type struct \{/u, why: "the Go type of a peek at apiVersion and kind" },
  { when: /accepted media types include/u, why: "the simulator reads JSON alone" },
  { when: /Available representations/u, why: "the simulator writes JSON alone" },
  { when: /invalid continue token/u, why: "where Go's decoder stopped" },
  { when: /unable to parse requirement/u, why: "where the selector's parser stopped" },
  { when: /RollingUpdate.*MaxUnavailable/u, why: "a Go value, field by field" },
  { when: /metadata: Invalid value: .*managedFields/u, why: "reviews have no managed fields" },
];

describe("refusals recorded from a v1.35.4 server", () => {
  const SERVER_SIDE_APPLY = "application/apply-patch+yaml";

  // Side by side: a wait for a version that never comes takes three seconds.
  it.concurrent.each(refusals.cases.filter(({ contentType }) => contentType !== SERVER_SIDE_APPLY))(
    "$status for $method $path $body",
    async (recorded) => {
      const { method, path, contentType, accept, body, status, answer } = recorded;
      const client = recorded.as === undefined ? admin : nobody;
      const got = await client.request(method, path, {
        ...(accept === undefined ? {} : { headers: { Accept: accept } }),
        ...(contentType === undefined ? {} : { contentType }),
        ...(body === undefined ? {} : { body: body === "${manifest}" ? refusals.manifest : body }),
      });
      expect(got.status).toBe(status);
      if (typeof answer === "string") {
        expect(got.text).toBe(answer);
        return;
      }
      const own = parseJson(got.text) ?? null;
      const words = JSON.stringify(isJsonObject(answer) ? answer["message"] : "");
      if (REWORDED.some(({ when }) => when.test(words.replaceAll("\\", "")))) {
        expect(own).toMatchObject({ kind: "Status", code: status });
        return;
      }
      expect(normalize(own)).toEqual(normalize(answer));
    },
  );

  it("server-side apply alone is refused for another reason: it is not served", async () => {
    const got = await admin.request("PATCH", `${N}/api`, {
      contentType: SERVER_SIDE_APPLY,
      body: "{",
    });
    expect(got.status).toBe(415);
  });
});

/** Patches that end otherwise here, and why. */
const KNOWN_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ["smp 21", "a directive without a field's name is taken for an unknown field"],
  ["smp 44", "names of resources are not checked"],
  ["smp 69", "an integer past int32 is refused, where the server wraps it around"],
]);

describe("patches recorded from a v1.35.4 server", () => {
  it.each(patches.cases.filter(({ id }) => !KNOWN_OTHERWISE.has(id)))(
    "$id gives $status and the same object",
    async (recorded) => {
      const uid = simulator.objects.get("apps", "deployments", "recorded", "rich")?.metadata.uid;
      const body = JSON.stringify(recorded.patch).replaceAll("${uid}", uid ?? "");
      const got = await admin.request("PATCH", `${N}/rich?dryRun=All&fieldManager=other`, {
        contentType: recorded.contentType,
        body,
      });
      expect(got.status).toBe(recorded.status);
      expect(got.headers["warning"]).toBe(recorded.warning);
      const own = parseJson(got.text) ?? null;
      if (recorded.changes !== undefined) {
        expect(changesOf(patches.original, withoutIdentity(own), "")).toEqual(recorded.changes);
        return;
      }
      const answer = recorded.answer ?? null;
      const words = stringAt(answer, "message");
      const embedsObject = words.includes('Invalid value: "{');
      if (embedsObject || REWORDED.some(({ when }) => when.test(words))) {
        expect(own).toMatchObject({ kind: "Status", code: recorded.status });
        return;
      }
      expect(normalize(own)).toEqual(normalize(answer));
    },
  );
});

const OWN_METADATA = new Set(["managedFields", "resourceVersion", "uid", "creationTimestamp"]);

function withoutIdentity(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { status: _status, metadata, ...rest } = value;
  const kept = Object.entries(isJsonObject(metadata) ? metadata : {}).filter(
    ([key]) => !OWN_METADATA.has(key),
  );
  return { ...rest, metadata: Object.fromEntries(kept) };
}

// The highest places at which two values differ, in the order of their pointers.
function changesOf(
  before: JsonValue,
  after: JsonValue,
  path: string,
): readonly { readonly path: string; readonly value?: JsonValue }[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return keys.flatMap((key) => {
      const place = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const [left, right] = [before[key], after[key]];
      if (right === undefined) return [{ path: place }];
      return left === undefined ? [{ path: place, value: right }] : changesOf(left, right, place);
    });
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return before.flatMap((item, index) =>
      changesOf(item, after[index] ?? null, `${path}/${index}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, value: after }];
}
