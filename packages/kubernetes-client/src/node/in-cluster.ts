import { join } from "node:path";
import type { ConnectionSource } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { NodeEnvironment } from "./node-environment.js";

/** Where a Pod finds its service account, unless it was told otherwise. */
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The source of a Pod's own service account: address from the environment, CA and token from the
 * projected files, whose rotation is seen since they are read anew each time. `unavailable`
 * outside a Pod.
 */
export function makeInClusterSource(
  environment: NodeEnvironment,
  folder: string = serviceAccountFolder,
): Outcome<ConnectionSource> {
  const host = environment.variables["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = environment.variables["KUBERNETES_SERVICE_PORT"] ?? "";
  if (host === "" || port === "") {
    return fail("unavailable", "this is not a Pod: KUBERNETES_SERVICE_HOST is not set");
  }
  return succeed({
    kind: "server",
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ca_file: join(folder, "ca.crt"),
    token_file: join(folder, "token"),
  });
}
