import { readFileSync } from "node:fs";
import { operationDeclarations, type OperationDeclaration } from "@connectors/domain";
import {
  makeKeyApprover,
  openPrivateKey,
  parsePrivateKeyBytes,
  type FrozenWrite,
  type Host,
} from "@connectors/runtime";
import type { Approver, Json } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { must } from "./cluster-host.js";

/** A signal that nobody aborts. */
export function patience(): AbortSignal {
  return new AbortController().signal;
}

/** An approver with the key of this file, who approves whatever is shown. */
export function openReadyApprover(
  keyFile: string,
  declarations: readonly OperationDeclaration[] = operationDeclarations,
): Approver {
  const key = must(openPrivateKey(must(parsePrivateKeyBytes(readFileSync(keyFile))), null));
  return makeKeyApprover({
    key,
    view: { declarations, clusters: [] },
    ambient: makeSystemAmbient(),
    acceptUnknownCluster: true,
    confirm: () => Promise.resolve(true),
  });
}

/** A restart of this Deployment, frozen at its version of now, or at one that is not current. */
export async function freezeRestart(
  host: Host,
  name: string,
  options: { readonly key: string; readonly stale?: boolean },
): Promise<FrozenWrite> {
  const place = { namespace: "web", name };
  const current = must(
    await host.read({
      adapter: "prod",
      operation: "deployments.get",
      input: place,
      signal: patience(),
    }),
  );
  return must(
    await host.freezeWrite({
      adapter: "prod",
      operation: "deployment.rollout_restart",
      input: {
        ...place,
        uid: textOf(current["uid"]),
        resource_version: options.stale === true ? "1" : textOf(current["resource_version"]),
      },
      key: options.key,
    }),
  );
}

function textOf(value: Json | undefined): string {
  if (typeof value !== "string") throw new Error("a Deployment has coordinates");
  return value;
}
