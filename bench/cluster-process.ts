// The benchmarks' simulated cluster, in a process of its own: one line of JSON says where it is.
import { defaultSeed, openSimulator } from "@connectors/kubernetes-simulator";

const simulator = await openSimulator({ seed: defaultSeed() });
const pods = simulator.objects.list("", "pods", "web");
const names = pods.map(
  (pod) => (pod as { readonly metadata: { readonly name: string } }).metadata.name,
);
const pod = names.find((name) => name.startsWith("api-"));
const facts = {
  url: simulator.url,
  caPem: simulator.caPem,
  token: simulator.admin.token,
  kubeconfig: simulator.kubeconfig(),
  pod,
};
process.stdout.write(`${JSON.stringify(facts)}\n`);
process.on("SIGTERM", () => void simulator.close().then(() => process.exit(0)));
process.stdin.resume().on("end", () => process.exit(0));
