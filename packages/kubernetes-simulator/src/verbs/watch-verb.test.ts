import type { ClientRequest } from "node:http";
import { request } from "node:https";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { isJsonObject, objectAt, parseJson, stringAt, type JsonObject } from "../json-value.js";
import { simulatorBounds } from "../bounds.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { makeManualTimers } from "../testing/manual-timers.js";
import {
  openSimulatorClient,
  type ClientStream,
  type SimulatorClient,
} from "../testing/simulator-client.js";

const MAPS = "/api/v1/namespaces/default/configmaps";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

let simulator: Simulator;
let client: SimulatorClient;

beforeEach(async () => {
  simulator = await openSimulator();
  client = openSimulatorClient(simulator);
});

afterEach(async () => {
  client.close();
  await simulator.close();
});

function put(name: string, value: string, labels: JsonObject = {}): number {
  simulator.objects.put({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", labels },
    data: { value },
  });
  return simulator.objects.version();
}

async function nextEvent(stream: ClientStream): Promise<JsonObject> {
  const json = parseJson((await stream.next()) ?? "null");
  return isJsonObject(json) ? json : {};
}

function openUnread(path: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${simulator.admin.token}` };
    const outgoing = request(`${simulator.url}${path}`, { ca: simulator.caPem, headers });
    outgoing.on("response", (incoming) => {
      incoming.pause();
      incoming.on("error", () => undefined);
      resolve(outgoing);
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

function shown(event: JsonObject): readonly [string, string, string] {
  const type = stringAt(event, "type");
  const name = stringAt(event, "object", "metadata", "name");
  return [type, name, stringAt(event, "object", "data", "value")];
}

describe("a watch", () => {
  it("from a version sends every later change, in order, and nothing before", async () => {
    const version = put("a", "1");
    put("a", "2");
    const stream = await client.stream(`${MAPS}?watch=true&resourceVersion=${version}`);
    put("b", "1");
    simulator.objects.delete("", "configmaps", "default", "a");
    expect(shown(await nextEvent(stream))).toEqual(["MODIFIED", "a", "2"]);
    expect(shown(await nextEvent(stream))).toEqual(["ADDED", "b", "1"]);
    const gone = await nextEvent(stream);
    expect(shown(gone)).toEqual(["DELETED", "a", "2"]);
    expect(stringAt(gone, "object", "metadata", "resourceVersion")).toBe(
      String(simulator.objects.version()),
    );
    stream.close();
  });

  it("sends its head before there is any event", async () => {
    const stream = await client.stream(`${MAPS}?watch=true&resourceVersion=99999`);
    expect(stream.status).toBe(200);
    expect(stream.headers["content-type"]).toBe("application/json");
    stream.close();
  });

  it("from version 0, and from none, starts with what there is", async () => {
    put("a", "1");
    for (const query of ["watch=true&resourceVersion=0", "watch=true"]) {
      const stream = await client.stream(`${MAPS}?${query}`);
      expect(shown(await nextEvent(stream))).toEqual(["ADDED", "a", "1"]);
      stream.close();
    }
  });

  it("with initial events ends them by a bookmark that says so", async () => {
    put("a", "1");
    const query =
      "allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&" +
      "sendInitialEvents=true&watch=true";
    const stream = await client.stream(`${MAPS}?${query}`);
    expect(shown(await nextEvent(stream))).toEqual(["ADDED", "a", "1"]);
    const bookmark = await nextEvent(stream);
    expect(bookmark).toMatchObject({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        metadata: {
          resourceVersion: String(simulator.objects.version()),
          annotations: { "k8s.io/initial-events-end": "true" },
        },
      },
    });
    put("b", "2");
    expect(shown(await nextEvent(stream))).toEqual(["ADDED", "b", "2"]);
    stream.close();
  });

  it("shows what comes into its selection as added and what leaves it as deleted", async () => {
    put("a", "1", { on: "yes" });
    const version = simulator.objects.version();
    const query = `watch=true&labelSelector=on%3Dyes&resourceVersion=${version}`;
    const stream = await client.stream(`${MAPS}?${query}`);
    put("a", "2", { on: "no" });
    put("a", "3", { on: "yes" });
    put("a", "4", { on: "yes" });
    put("b", "1", { on: "no" });
    simulator.objects.delete("", "configmaps", "default", "a");
    expect(shown(await nextEvent(stream))).toEqual(["DELETED", "a", "1"]);
    expect(shown(await nextEvent(stream))).toEqual(["ADDED", "a", "3"]);
    expect(shown(await nextEvent(stream))).toEqual(["MODIFIED", "a", "4"]);
    expect(shown(await nextEvent(stream))).toEqual(["DELETED", "a", "4"]);
    stream.close();
  });

  it("from a version that is not kept is an ERROR of 410, and the end", async () => {
    const version = put("a", "1");
    put("a", "2");
    simulator.objects.compact();
    const stream = await client.stream(`${MAPS}?watch=true&resourceVersion=${version}`);
    expect(stream.status).toBe(200);
    expect(await nextEvent(stream)).toMatchObject({
      type: "ERROR",
      object: { kind: "Status", code: 410, reason: "Expired" },
    });
    expect(await stream.next()).toBeUndefined();
  });

  it("has a bookmark a minute where those are allowed, and a last one before its timeout", async () => {
    const timers = makeManualTimers();
    await using own = await openSimulator({ surroundings: { timers } });
    const other = openSimulatorClient(own);
    const query = "watch=true&resourceVersion=99&allowWatchBookmarks=true&timeoutSeconds=130";
    const stream = await other.stream(`${MAPS}?${query}`);
    for (const ms of [60_000, 60_000, 10_000]) {
      timers.advance(ms);
      expect(await nextEvent(stream)).toMatchObject({ type: "BOOKMARK" });
    }
    expect(await stream.next()).toBeUndefined();
    other.close();
  });

  it("whose reader lags too far behind loses its connection", async () => {
    const lines = "x".repeat(1_000_000);
    const reader = await openUnread(`${MAPS}?watch=true`);
    for (let sent = 0; sent < simulatorBounds.watchBacklogBytesMax * 3; sent += lines.length) {
      put("big", `${lines}${sent}`);
    }
    await expect.poll(() => simulator.connectionCount(), { timeout: 10_000 }).toBe(0);
    reader.destroy();
  });

  it("of tables names the columns in its first event only", async () => {
    put("a", "1");
    const headers = { Accept: TABLE };
    const stream = await client.stream(`${MAPS}?watch=true&resourceVersion=0`, { headers });
    put("a", "2");
    const first = objectAt(await nextEvent(stream), "object");
    const second = objectAt(await nextEvent(stream), "object");
    expect(first).toMatchObject({
      kind: "Table",
      rows: [{ cells: ["a", 1, expect.stringMatching(/^\d+s$/u)] }],
    });
    expect(first["columnDefinitions"]).toHaveLength(3);
    expect(second).toMatchObject({
      columnDefinitions: null,
      rows: [{ cells: ["a", 1, expect.stringMatching(/^\d+s$/u)] }],
    });
    stream.close();
  });

  it("of one namespace sees nothing of another", async () => {
    const stream = await client.stream(`${MAPS}?watch=true&resourceVersion=0`);
    simulator.objects.put({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "elsewhere", namespace: "kube-public" },
    });
    put("here", "1");
    expect(shown(await nextEvent(stream))).toEqual(["ADDED", "here", "1"]);
    stream.close();
  });
});
