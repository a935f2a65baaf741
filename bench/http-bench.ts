import { makeSystemAmbient } from "@connectors/sdk/testing";
import { makeCredentialLines, makeFixedCredential, openScopedHttp } from "@connectors/transport";
import { Pool } from "undici";
import { must, type BenchCluster } from "./cluster.js";
import { describeSpread, spreadOf, type Line } from "./figures.js";

const windows = 9;
const perWindow = 300;
const path = "apis/apps/v1/namespaces/web/deployments/api";

async function windowMs(get: () => Promise<number>): Promise<number> {
  const began = performance.now();
  let bytes = 0;
  for (let n = 0; n < perWindow; n += 1) bytes += await get();
  if (bytes === 0) throw new Error("nothing was read");
  return (performance.now() - began) / perWindow;
}

/** One scoped GET after another, beside the same GET by undici alone. */
export async function benchHttp(cluster: BenchCluster): Promise<readonly Line[]> {
  const ambient = makeSystemAmbient();
  const ca = Buffer.from(cluster.caPem);
  const credential = must(makeCredentialLines([["Authorization", `Bearer ${cluster.token}`]]));
  const scope = must(
    openScopedHttp({
      baseUrl: `${cluster.url}/`,
      tls: { ca },
      credential: makeFixedCredential(credential),
      ambient,
    }),
  );
  const pool = new Pool(cluster.url, { connect: { ca: cluster.caPem }, connections: 1 });
  const reader = scope.reader();
  const { signal } = new AbortController();
  const segments = path.split("/");
  const ours = async (): Promise<number> =>
    must(await reader.get({ segments }, { accept: "application/json", signal })).body.byteLength;
  const raw = async (): Promise<number> => {
    const answer = await pool.request({
      path: `/${path}`,
      method: "GET",
      headers: { authorization: `Bearer ${cluster.token}`, accept: "application/json" },
    });
    return (await answer.body.arrayBuffer()).byteLength;
  };
  const times = { ours: [] as number[], raw: [] as number[] };
  await windowMs(ours);
  await windowMs(raw);
  for (let n = 0; n < windows; n += 1) {
    times.ours.push(await windowMs(ours));
    times.raw.push(await windowMs(raw));
  }
  await pool.close();
  await scope[Symbol.asyncDispose]();
  const [mine, theirs] = [spreadOf(times.ours), spreadOf(times.raw)];
  return [
    {
      name: "one scoped GET, against raw undici",
      ratio: mine.median / theirs.median,
      bound: 1.2,
      sense: "at most",
      detail: `${windows} windows of ${perWindow} GETs each; ours ${describeSpread(mine, "ms")}; undici ${describeSpread(theirs, "ms")}`,
    },
  ];
}
