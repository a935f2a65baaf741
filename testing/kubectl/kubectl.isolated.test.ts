import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSeed, openSimulator, type Simulator } from "@connectors/kubernetes-simulator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findKubectl, kubectlMinor } from "./find-kubectl.js";
import { flows } from "./flows.js";
import { describeRequest, recordRequest, type Recording } from "./recording.js";
import { replayRequest } from "./replay.js";
import { runFlow } from "./run-kubectl.js";

const file = join(import.meta.dirname, "recorded", `kubectl-${kubectlMinor}.json`);
const recordings = JSON.parse(readFileSync(file, "utf8")) as readonly Recording[];
const kubectl = findKubectl();
let simulator: Simulator;
const folder = mkdtempSync(join(tmpdir(), "connectors-kubectl-"));
const place = {
  kubeconfig: join(folder, "cluster.yaml"),
  cache: join(folder, "cache"),
  watched: () => simulator.requests().some(({ query }) => query.includes("watch=true")),
};

beforeAll(async () => {
  simulator = await openSimulator({ seed: defaultSeed() });
  writeFileSync(place.kubeconfig, simulator.kubeconfig(), { mode: 0o600 });
});

afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

// How often a watch is answered in pieces depends on how fast a rollout is looked at.
const paced = new Set(["rollout status"]);

test("every flow has its recording", () => {
  expect(recordings.map(({ flow }) => flow)).toEqual(flows.map(({ name }) => name));
});

if (kubectl === null) {
  process.stdout.write(
    `no kubectl ${kubectlMinor} here (KUBECTL names one): its recorded requests are sent instead\n`,
  );
  describe("recorded requests of kubectl", () => {
    test.each(recordings.map((recording) => [recording.flow, recording] as const))(
      "%s is answered as it was",
      async (_, { requests }) => {
        for (const recorded of requests) {
          const status = await replayRequest(simulator, recorded);
          expect([recorded.method, recorded.path, status]).toEqual([
            recorded.method,
            recorded.path,
            recorded.status,
          ]);
        }
      },
    );
  });
} else {
  describe(`kubectl ${kubectlMinor}`, () => {
    test.each(flows.map((flow) => [flow.name, flow] as const))(
      "%s works unchanged, and asks what is recorded",
      async (name, flow) => {
        simulator.clearRequests();
        const end = await runFlow(kubectl, flow, place);
        expect({ code: end.code, stderr: end.code === flow.code ? "" : end.stderr }).toEqual({
          code: flow.code,
          stderr: "",
        });
        expect(end.stdout).toMatch(flow.stdout);
        if (paced.has(name)) return;
        const recorded = recordings.find((recording) => recording.flow === name);
        expect(simulator.requests().map(recordRequest).map(describeRequest)).toEqual(
          recorded?.requests.map(describeRequest),
        );
      },
      120_000,
    );
  });
}
