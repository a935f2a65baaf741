import {
  parseDnsLabel,
  parseDnsSubdomain,
  parseExecArgument,
  parseKubernetesConfiguration,
  parseName,
} from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import { openConnection } from "@connectors/kubernetes-client/node";
import { makeExecTarget } from "@connectors/kubernetes-client/request";
import type { CapturedConnection } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { WebSocket } from "ws";
import { must, type BenchCluster } from "./cluster.js";
import { describeSpread, spreadOf, type Line } from "./figures.js";

const streamBytes = 15 * 1024 * 1024;
const streams = 69;
const megabyte = 1024 * 1024;

function parsed<T>(result: { ok: true; value: T } | { ok: false }): T {
  if (!result.ok) throw new Error("a benchmark's own value does not fit its model");
  return result.value;
}

/** One stream read to its end by ws alone; how long it took, in milliseconds. */
function rawStream(cluster: BenchCluster, query: string): Promise<number> {
  const began = performance.now();
  const url = `${cluster.url.replace("https", "wss")}/api/v1/namespaces/web/pods/${cluster.pod}/exec?${query}`;
  const socket = new WebSocket(url, ["v4.channel.k8s.io"], {
    ca: cluster.caPem,
    headers: { authorization: `Bearer ${cluster.token}` },
    perMessageDeflate: false,
  });
  let bytes = 0;
  return new Promise((done, broken) => {
    socket.on("message", (data: Buffer) => (bytes += data.byteLength));
    socket.on("error", broken);
    socket.on("close", () => {
      if (bytes < streamBytes) broken(new Error(`only ${bytes} bytes came`));
      else done(performance.now() - began);
    });
  });
}

/** The same by the adapter's own execution, frames, status and all. */
async function ourStream(
  cluster: BenchCluster,
  captured: CapturedConnection,
  command: readonly string[],
): Promise<number> {
  const adapter = makeKubernetesAdapter({
    instance: parsed(parseName("bench")),
    configuration: parsed(
      parseKubernetesConfiguration({
        namespaces: ["web"],
        operations: ["pods.exec"],
        exec_subprotocols: ["v4"],
        intermediary: "none",
      }),
    ),
    clock: makeSystemAmbient().clock,
  });
  const { signal } = new AbortController();
  const began = performance.now();
  const prepared = must(
    await adapter.prepareWrite({
      operation: "pods.exec",
      input: { namespace: "web", pod: cluster.pod, container: "app", command },
      http: captured.http,
      check: (path) => captured.check(path),
      nowMs: Date.now(),
      signal,
    }),
  );
  if (prepared.needs.kind !== "upgrade") throw new Error("an exec needs an upgrade");
  const upgrade = must(captured.upgrade(prepared.needs.bounds));
  const settled = await prepared.execute(
    { kind: "upgrade", upgrade },
    { correlation: "bench", signal },
  );
  if (settled.kind !== "applied") throw new Error(`the exec is ${settled.kind}`);
  return performance.now() - began;
}

function residentMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / megabyte;
}

/** Streams of 15 MiB, one after another, beside raw ws; then 1 GiB of them, and memory. */
export async function benchExec(cluster: BenchCluster): Promise<readonly Line[]> {
  const command = ["head", "-c", String(streamBytes), "/dev/zero"];
  const source = {
    kind: "kubeconfig",
    kubeconfig: cluster.kubeconfigFile,
    context: null,
  } as const;
  const connection = openConnection({ source, ambient: makeSystemAmbient() });
  const { signal } = new AbortController();
  const times = { ours: [] as number[], raw: [] as number[] };
  const resident: number[] = [];
  const run = async (): Promise<number> => {
    const captured = must(await connection.capture({ signal }));
    try {
      return await ourStream(cluster, captured, command);
    } finally {
      await captured[Symbol.asyncDispose]();
    }
  };
  const target = makeExecTarget({
    namespace: parsed(parseDnsLabel("web")),
    pod: parsed(parseDnsSubdomain(cluster.pod)),
    container: parsed(parseDnsLabel("app")),
    command: command.map((argument) => parsed(parseExecArgument(argument))),
  });
  const query = new URLSearchParams(
    (target.query ?? []).map(([a, b]): [string, string] => [a, b]),
  ).toString();
  await run();
  for (let n = 0; n < 9; n += 1) {
    times.ours.push(await run());
    times.raw.push(await rawStream(cluster, query));
  }
  for (let n = 0; n < streams; n += 1) {
    await run();
    resident.push(residentMegabytes());
  }
  await connection[Symbol.asyncDispose]();
  const [mine, theirs] = [spreadOf(times.ours), spreadOf(times.raw)];
  const quarter = Math.floor(streams / 4);
  const first = spreadOf(resident.slice(0, quarter));
  const last = spreadOf(resident.slice(-quarter));
  return [
    {
      name: "exec stdout, throughput against raw ws",
      ratio: theirs.median / mine.median,
      bound: 0.9,
      sense: "at least",
      detail: `9 streams of 15 MiB each; ours ${describeSpread(mine, "ms")}; ws ${describeSpread(theirs, "ms")}`,
    },
    {
      name: "memory over 1 GiB of exec output, last quarter against first",
      ratio: last.median / first.median,
      bound: 1.1,
      sense: "at most",
      detail: `${streams} streams of 15 MiB; resident ${describeSpread(first, "MiB")} then ${describeSpread(last, "MiB")}`,
    },
  ];
}
