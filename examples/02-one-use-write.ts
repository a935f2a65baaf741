// 2. A write that can be tried once
//
// The transport alone: a scope that reaches one origin, a reader that cannot write, and a write
// that is spent by its first try. Nothing is retried, and a failure says whether anything left.
import { defaultSeed, openSimulator } from "@connectors/kubernetes-simulator";
import { makeCredentialLines, makeFixedCredential, openScopedHttp } from "@connectors/transport";
import type { Outcome } from "@connectors/sdk";
import { makeAmbient } from "./ambient.js";

function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

/** What the example found out. */
export interface OneUseWrite {
  readonly read: number;
  readonly first: number;
  readonly second: { readonly code: string; readonly sent: string };
  readonly patchesSeen: number;
}

/** Reads a Deployment, labels it by one PATCH, and tries the same capability again. */
export async function oneUseWrite(): Promise<OneUseWrite> {
  await using simulator = await openSimulator({ seed: defaultSeed() });
  const credential = must(
    makeCredentialLines([["Authorization", `Bearer ${simulator.admin.token}`]]),
  );
  await using scope = must(
    openScopedHttp({
      baseUrl: `${simulator.url}/`,
      tls: { ca: Buffer.from(simulator.caPem) },
      credential: makeFixedCredential(credential),
      ambient: makeAmbient(),
    }),
  );
  const { signal } = new AbortController();
  const segments = ["apis", "apps", "v1", "namespaces", "web", "deployments", "api"];
  const accept = "application/json";
  const read = must(await scope.reader().get({ segments }, { accept, signal }));

  const write = scope.intoWrite();
  const request = {
    method: "PATCH",
    segments,
    contentType: "application/merge-patch+json",
    accept,
    body: new TextEncoder().encode('{"metadata":{"labels":{"touched":"once"}}}'),
  } as const;
  const first = await write.send(request, { correlation: "example-2", signal });
  if (!first.ok) throw new Error(first.failure.failure.message);
  const second = await write.send(request, { correlation: "example-2", signal });
  if (second.ok) throw new Error("a spent write was sent");
  return {
    read: read.status,
    first: first.value.status,
    second: { code: second.failure.failure.code, sent: second.failure.sent },
    patchesSeen: simulator.requests().filter(({ method }) => method === "PATCH").length,
  };
}
