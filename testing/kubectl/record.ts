// Records what kubectl asks of the simulated cluster: npx tsx --conditions=@connectors/source testing/kubectl/record.ts
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSeed, openSimulator } from "@connectors/kubernetes-simulator";
import { findKubectl, kubectlMinor } from "./find-kubectl.js";
import { flows } from "./flows.js";
import { recordRequest, type Recording } from "./recording.js";
import { runFlow } from "./run-kubectl.js";

const kubectl = findKubectl();
if (kubectl === null) {
  process.stderr.write(`no kubectl ${kubectlMinor}: name one with KUBECTL\n`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "connectors-kubectl-"));
const simulator = await openSimulator({ seed: defaultSeed() });
const place = {
  kubeconfig: join(folder, "cluster.yaml"),
  cache: join(folder, "cache"),
  watched: () => simulator.requests().some(({ query }) => query.includes("watch=true")),
};
writeFileSync(place.kubeconfig, simulator.kubeconfig(), { mode: 0o600 });
const recordings: Recording[] = [];
for (const flow of flows) {
  simulator.clearRequests();
  const end = await runFlow(kubectl, flow, place);
  if (end.code !== flow.code || !flow.stdout.test(end.stdout)) {
    throw new Error(`${flow.name}: exit ${end.code}\n${end.stdout}${end.stderr}`);
  }
  recordings.push({ flow: flow.name, requests: simulator.requests().map(recordRequest) });
}
await simulator.close();
rmSync(folder, { recursive: true, force: true });
const file = join(import.meta.dirname, "recorded", `kubectl-${kubectlMinor}.json`);
writeFileSync(file, `${JSON.stringify(recordings, null, 1)}\n`);
process.stdout.write(`${recordings.length} flows in ${file}\n`);
