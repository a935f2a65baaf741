import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operationDeclarations } from "@connectors/domain";
import { makeKeyApprover, openPrivateKey, parsePrivateKeyBytes } from "@connectors/runtime";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { must, type BenchCluster } from "./cluster.js";
import { describeSpread, spreadOf, type Line } from "./figures.js";
import { connectors, timeProgram } from "./start-bench.js";

const rounds = 11;

/** The arguments of an approved write; its proof was made here, with the state's own key. */
async function approvedWrite(
  cluster: BenchCluster,
  state: string,
  n: number,
): Promise<readonly string[]> {
  const prepared = spawnSync(
    process.execPath,
    [
      connectors,
      "prepare",
      "bench/deployment.rollout_restart",
      "--at-current",
      "namespace=web",
      "name=worker",
    ],
    { env: { ...process.env, CONNECTORS_STATE: state, NODE_OPTIONS: "" } },
  );
  if (prepared.status !== 0) throw new Error(prepared.stderr.toString());
  const file = join(cluster.folder, `write-${n}.json`);
  writeFileSync(file, prepared.stdout, { mode: 0o600 });
  const keys = join(state, "keys");
  const [name = ""] = readdirSync(keys);
  const key = must(
    openPrivateKey(must(parsePrivateKeyBytes(readFileSync(join(keys, name)))), null),
  );
  const approver = makeKeyApprover({
    key,
    view: { declarations: operationDeclarations, clusters: [] },
    ambient: makeSystemAmbient(),
    acceptUnknownCluster: true,
    confirm: () => Promise.resolve(true),
  });
  const { signal } = new AbortController();
  const proof = must(await approver.approve({ file: prepared.stdout }, { signal }));
  writeFileSync(`${file}.proof`, `${proof.jws}\n`, { mode: 0o600 });
  return [connectors, "write", "--prepared", file, "--proof", `${file}.proof`, "-o", "json"];
}

function timeApplied(
  write: readonly string[],
  environment: Readonly<Record<string, string>>,
): number | null {
  try {
    return timeProgram(write, { environment });
  } catch {
    return null;
  }
}

/** An approved write from a proof file, the whole process, beside a bare Node. */
export async function benchWriteStart(cluster: BenchCluster): Promise<readonly Line[]> {
  const state = join(cluster.folder, "state");
  const environment = { CONNECTORS_STATE: state };
  timeProgram([connectors, "init"], { environment });
  const add = ["adapters", "add", "kubernetes", "bench", "--kubeconfig", cluster.kubeconfigFile];
  const rest = ["--namespaces", "web", "--allow", "deployment.rollout_restart"];
  timeProgram([connectors, ...add, ...rest], { environment });
  // A restart moves the version, so each write is prepared when the one before it is done.
  const it: number[] = [];
  const node: number[] = [];
  for (let n = 0; it.length < rounds; n += 1) {
    if (n > rounds * 5) throw new Error("the Deployment never stood still");
    const write = await approvedWrite(cluster, state, n);
    const bare = timeProgram(["-e", "0"]);
    const took = timeApplied(write, environment);
    // The rollout of the restart before it moved the version meanwhile: refused, and not counted.
    if (took === null) continue;
    node.push(bare);
    it.push(took);
  }
  const [a, b] = [spreadOf(node), spreadOf(it)];
  return [
    {
      name: "an approved `connectors write` from a proof file, against `node -e 0`",
      ratio: b.median / a.median,
      bound: 8,
      sense: "at most",
      detail: `${rounds} writes; node ${describeSpread(a, "ms")}; write ${describeSpread(b, "ms")}`,
    },
  ];
}
