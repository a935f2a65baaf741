import { readFileSync } from "node:fs";

import { afterAll, beforeAll, expect, it } from "vitest";

import { defaultSeed } from "../default-seed.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly status: number;
}

const recorded = JSON.parse(
  readFileSync(new URL("kubectl-requests.json", import.meta.url), "utf8"),
) as readonly RecordedRequest[];

let simulator: Simulator;
let client: SimulatorClient;

beforeAll(async () => {
  simulator = await openSimulator({
    seed: defaultSeed(),
    pace: { podReadyMs: 1, podReplaceMs: 1 },
  });
  client = openSimulatorClient(simulator);
});

afterAll(async () => {
  client.close();
  await simulator.close();
});

it("every request that kubectl 1.35.4 was seen to send is answered as it was then", async () => {
  expect(recorded.length).toBeGreaterThan(70);
  for (const { method, path, query, accept, contentType, body, status } of recorded) {
    const target = query === "" ? path : `${path}?${query}`;
    const request = {
      ...(accept === undefined ? {} : { headers: { Accept: accept } }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(body === undefined ? {} : { body }),
    };
    if (query.includes("watch=true")) {
      const stream = await client.stream(target, request);
      expect([target, stream.status]).toEqual([target, status]);
      stream.close();
    } else {
      const answer = await client.request(method, target, request);
      expect([method, target, answer.status]).toEqual([method, target, status]);
    }
  }
});
