import { generateKeyPairSync, sign, verify } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { operationDeclarations, parseKubernetesConfiguration, parseName } from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import { openConnection } from "@connectors/kubernetes-client/node";
import { makeAccessReview } from "@connectors/kubernetes-client/request";
import {
  encodePrivateKeyFile,
  makeKeyApprover,
  makeSigningKey,
  openHost,
  openPrivateKey,
  parsePrivateKeyBytes,
  type Host,
} from "@connectors/runtime";
import { encodeCanonical, type Approver } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { openSqliteJournal } from "@connectors/store-sqlite";
import { Pool } from "undici";
import { must, type BenchCluster } from "./cluster.js";
import { describeSpread, spreadOf, type Line } from "./figures.js";

const rounds = 60;
const audience = "connectors.host/00000000-0000-4000-8000-000000000000";
const caller = "os:bench";
const ambient = makeSystemAmbient();

function parsed<T>(result: { ok: true; value: T } | { ok: false }): T {
  if (!result.ok) throw new Error("a benchmark's own value does not fit its model");
  return result.value;
}

async function openBenchHost(
  cluster: BenchCluster,
): Promise<{ host: Host; approver: Approver; readonly close: () => Promise<void> }> {
  const directory = join(cluster.folder, "ledger");
  const store = must(await openSqliteJournal({ directory }));
  const source = { kind: "kubeconfig", kubeconfig: cluster.kubeconfigFile, context: null } as const;
  const connection = openConnection({ source, ambient });
  const description = must(await connection.describe());
  const { signal } = new AbortController();
  const captured = must(await connection.capture({ signal }));
  const probed = { provider: { ...description, username: captured.username }, at_ms: Date.now() };
  await captured[Symbol.asyncDispose]();
  const configuration = parsed(
    parseKubernetesConfiguration({
      namespaces: ["web"],
      operations: ["deployment.rollout_restart"],
      exec_subprotocols: ["v4"],
      intermediary: "none",
    }),
  );
  const name = parsed(parseName("bench"));
  const adapter = makeKubernetesAdapter({ instance: name, configuration, clock: ambient.clock });
  const host = must(
    await openHost({
      ...store,
      adapters: [{ name, adapter, connection, probed }],
      ambient,
      audience,
      caller,
      separationOf: () => Promise.resolve("none"),
      pid: process.pid,
    }),
  );
  const key = makeSigningKey(ambient.random);
  const approverName = parsed(parseName("bench"));
  must(
    await host.approvers.add({
      name: approverName,
      publicKey: key.publicKey,
      operations: ["*"],
      adapters: ["*"],
    }),
  );
  const rule = {
    callers: [caller],
    adapters: ["bench"],
    operation: "deployment.rollout_restart",
    namespaces: ["web"],
    names: ["*"],
    approvers: ["bench"],
    self_approval: "allowed",
  };
  const policy = encodeCanonical({ format: "connectors.policy/1", id: "local", rules: [rule] });
  must(await host.policy.set(new TextEncoder().encode(policy)));
  const file = encodePrivateKeyFile(key, {
    approver: approverName,
    createdAtMs: Date.now(),
    passphrase: null,
  });
  const approver = makeKeyApprover({
    key: must(openPrivateKey(must(parsePrivateKeyBytes(file)), null)),
    view: { declarations: operationDeclarations, clusters: [] },
    ambient,
    acceptUnknownCluster: true,
    confirm: () => Promise.resolve(true),
  });
  return {
    host,
    approver,
    async close() {
      await host.close();
      await store.journal.close();
      await connection[Symbol.asyncDispose]();
    },
  };
}

/** The time of one commit; what leads to it is not counted. */
async function guarded(host: Host, approver: Approver): Promise<number> {
  const { signal } = new AbortController();
  const input = { namespace: "web", name: "worker" };
  const read = must(
    await host.read({ adapter: "bench", operation: "deployments.get", input, signal }),
  );
  const { uid, resource_version } = read;
  const frozen = must(
    await host.freezeWrite({
      adapter: "bench",
      operation: "deployment.rollout_restart",
      input: { ...input, uid: uid ?? "", resource_version: resource_version ?? "" },
      key: `bench-${performance.now()}`,
    }),
  );
  const proof = must(await approver.approve({ file: frozen.preparedBytes }, { signal }));
  const began = performance.now();
  const answer = await frozen.commit({ proof, signal });
  const took = performance.now() - began;
  if (answer.classification === "applied") return took;
  // The rollout of the restart before it may have moved the version meanwhile.
  if (answer.classification === "refused") return guarded(host, approver);
  throw new Error(JSON.stringify(answer));
}

interface Parts {
  readonly syncs: number;
  readonly review: number;
  readonly patch: number;
  readonly signature: number;
}

/** Each part of a guarded restart by itself: four syncs, one review, one PATCH, one signature check. */
async function rawParts(cluster: BenchCluster, pool: Pool, file: number): Promise<Parts> {
  const timed = async (act: () => unknown): Promise<number> => {
    const began = performance.now();
    await act();
    return performance.now() - began;
  };
  const headers = {
    authorization: `Bearer ${cluster.token}`,
    accept: "application/json",
  };
  const call = async (
    method: "POST" | "PATCH",
    path: string,
    type: string,
    body: string | Uint8Array,
  ): Promise<void> => {
    const answer = await pool.request({
      method,
      path,
      headers: { ...headers, "content-type": type },
      body,
    });
    await answer.body.arrayBuffer();
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
  };
  const page = Buffer.alloc(4096, 7);
  const target = {
    verb: "patch",
    group: "apps",
    version: "v1",
    resource: "deployments",
    subresource: "",
    namespace: "web",
    name: "worker",
  };
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signature = sign(null, page, privateKey);
  const marker = JSON.stringify({
    spec: {
      template: {
        metadata: {
          annotations: { "kubectl.kubernetes.io/restartedAt": String(performance.now()) },
        },
      },
    },
  });
  return {
    syncs: await timed(() => {
      for (let n = 0; n < 4; n += 1) {
        writeSync(file, page);
        fdatasyncSync(file);
      }
    }),
    review: await timed(() =>
      call(
        "POST",
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        "application/json",
        makeAccessReview(target).body,
      ),
    ),
    patch: await timed(() =>
      call(
        "PATCH",
        "/apis/apps/v1/namespaces/web/deployments/worker?fieldManager=bench",
        "application/strategic-merge-patch+json",
        marker,
      ),
    ),
    signature: await timed(() => verify(null, page, publicKey, signature)),
  };
}

/** A whole guarded restart beside the sum of its parts, in one run. */
export async function benchRestart(cluster: BenchCluster): Promise<readonly Line[]> {
  const { host, approver, close } = await openBenchHost(cluster);
  const pool = new Pool(cluster.url, { connect: { ca: cluster.caPem }, connections: 1 });
  const file = openSync(join(cluster.folder, "syncs"), "w");
  const whole: number[] = [];
  const sums: number[] = [];
  const parts: Parts[] = [];
  await guarded(host, approver);
  await rawParts(cluster, pool, file);
  for (let n = 0; n < rounds; n += 1) {
    whole.push(await guarded(host, approver));
    const part = await rawParts(cluster, pool, file);
    parts.push(part);
    sums.push(part.syncs + part.review + part.patch + part.signature);
  }
  closeSync(file);
  await pool.close();
  await close();
  const [all, sum] = [spreadOf(whole), spreadOf(sums)];
  const of = (name: keyof Parts): string =>
    spreadOf(parts.map((part) => part[name])).median.toPrecision(2);
  return [
    {
      name: "a whole guarded restart, against the sum of its parts",
      ratio: all.median / sum.median,
      bound: 1.5,
      sense: "at most",
      detail: `${rounds} rounds; whole ${describeSpread(all, "ms")}; parts ${describeSpread(sum, "ms")}: four syncs ${of("syncs")}, review ${of("review")}, PATCH ${of("patch")}, signature ${of("signature")}`,
    },
  ];
}
