import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { arrayAt, objectAt, parseJson, stringAt, type JsonValue } from "../json-value.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

const MAPS = "/api/v1/namespaces/default/configmaps";

let simulator: Simulator;
let client: SimulatorClient;

beforeAll(async () => {
  simulator = await openSimulator();
  client = openSimulatorClient(simulator);
  for (const name of ["a", "b", "c", "d", "e"]) put(name, name < "c" ? "low" : "high");
});

afterAll(async () => {
  client.close();
  await simulator.close();
});

function put(name: string, half: string, namespace = "default"): void {
  simulator.objects.put({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace, labels: { half } },
  });
}

async function list(query: string, path = MAPS): Promise<JsonValue> {
  const answer = await client.request("GET", `${path}?${query}`);
  return parseJson(answer.text) ?? null;
}

function names(value: JsonValue): readonly string[] {
  return arrayAt(value, "items").map((item) => stringAt(item, "metadata", "name"));
}

describe("a list", () => {
  it("has its version, and items that don't say what they are", async () => {
    const value = await list("");
    expect(value).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
    expect(stringAt(value, "metadata", "resourceVersion")).toBe(
      String(simulator.objects.version()),
    );
    expect(objectAt(arrayAt(value, "items")[0] ?? null)["kind"]).toBeUndefined();
  });

  it("in pages shows one state, whatever is written between them", async () => {
    const first = await list("limit=2");
    expect(names(first)).toEqual(["a", "b"]);
    expect(objectAt(first, "metadata")["remainingItemCount"]).toBe(3);
    put("bb", "low");
    simulator.objects.delete("", "configmaps", "default", "d");
    const token = stringAt(first, "metadata", "continue");
    const second = await list(`limit=2&continue=${token}`);
    expect(names(second)).toEqual(["c", "d"]);
    const third = await list(`continue=${stringAt(second, "metadata", "continue")}`);
    expect(names(third)).toEqual(["e"]);
    expect(objectAt(third, "metadata")["continue"]).toBeUndefined();
    simulator.objects.delete("", "configmaps", "default", "bb");
    put("d", "high");
  });

  it("whose page is too old is 410, with a token to go on without its state", async () => {
    const first = await list("limit=2");
    put("f", "high");
    simulator.objects.compact();
    const expired = await list(`continue=${stringAt(first, "metadata", "continue")}`);
    expect(expired).toMatchObject({ code: 410, reason: "Expired" });
    const rest = await list(`continue=${stringAt(expired, "metadata", "continue")}`);
    expect(names(rest)).toEqual(["c", "d", "e", "f"]);
    simulator.objects.delete("", "configmaps", "default", "f");
  });

  it("at a version shows that version", async () => {
    const version = simulator.objects.version();
    put("g", "high");
    const query = `resourceVersion=${version}&resourceVersionMatch=Exact`;
    expect(names(await list(query))).toEqual(["a", "b", "c", "d", "e"]);
    simulator.objects.delete("", "configmaps", "default", "g");
  });

  it.each([
    ["half=low", ["a", "b"]],
    ["half!=low", ["c", "d", "e"]],
    ["half in (low,high),!none", ["a", "b", "c", "d", "e"]],
    ["half notin (low)", ["c", "d", "e"]],
    ["none", []],
  ])("by the labels %s", async (selector, expected) => {
    expect(names(await list(`labelSelector=${encodeURIComponent(selector)}`))).toEqual(expected);
  });

  it.each([
    ["metadata.name=c", ["c"]],
    ["metadata.name!=c,metadata.namespace=default", ["a", "b", "d", "e"]],
  ])("by the fields %s", async (selector, expected) => {
    expect(names(await list(`fieldSelector=${encodeURIComponent(selector)}`))).toEqual(expected);
  });

  it("of all namespaces is in the order of namespaces and names", async () => {
    put("z", "low", "aaa");
    const value = await list("", "/api/v1/configmaps");
    expect(names(value)).toEqual(["z", "a", "b", "c", "d", "e"]);
    simulator.objects.delete("", "configmaps", "aaa", "z");
  });

  it("waits for a version that is about to come", async () => {
    const waiting = list(`resourceVersion=${simulator.objects.version() + 1}`);
    await expect.poll(() => simulator.requests().at(-1)?.executions, { timeout: 10_000 }).toBe(1);
    put("late", "high");
    expect(names(await waiting)).toContain("late");
    simulator.objects.delete("", "configmaps", "default", "late");
  });
});
