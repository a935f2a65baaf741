import type { ConnectionSource } from "@connectors/domain";
import { succeed, type ConnectionDescription, type Outcome } from "@connectors/sdk";
import { readConnectionFiles } from "./connection-files.js";
import { readCertificateExpiry, readCertificatePair } from "./credentials.js";
import { readNodeEnvironment, type NodeEnvironment } from "./node-environment.js";
import type { Authorization, UserSettings } from "./user-settings.js";

/** What a connection's files tell a person; no secret, and nothing was asked of the cluster. */
export interface ConnectionFacts {
  readonly description: ConnectionDescription;
  /** The kubeconfig context; null for a server that was named directly. */
  readonly context: string | null;
  /** The context's own namespace. */
  readonly namespace: string | null;
  readonly authorization: Authorization["kind"];
  /** The command of an exec plugin, as it would be run. */
  readonly plugin: string | null;
  /** When the client certificate expires; null without one. */
  readonly clientCertificateNotAfterMs: number | null;
  /** When the first of the CA's certificates expires; null without a CA. */
  readonly caNotAfterMs: number | null;
  /** Whoever answers is believed. */
  readonly insecure: boolean;
  /** There is a `proxy-url`: something stands between. */
  readonly proxied: boolean;
  /** The base path is not `/`: a proxy that routes by path may stand between. */
  readonly prefixed: boolean;
  /** The user acts as another. */
  readonly impersonates: boolean;
  readonly kubeconfigFiles: readonly string[];
}

/** The facts in a connection's files, read now; fails as `describe` of the connection would. */
export async function readConnectionFacts(options: {
  readonly source: ConnectionSource;
  readonly environment?: NodeEnvironment;
}): Promise<Outcome<ConnectionFacts>> {
  const environment = options.environment ?? readNodeEnvironment();
  const files = await readConnectionFiles(options.source, environment);
  if (!files.ok) return files;
  const { description, cluster, context, trust, user, kubeconfigFiles } = files.value;
  const expiry = await readClientExpiry(user);
  if (!expiry.ok) return expiry;
  const { authorization } = user;
  return succeed({
    description,
    context: context?.name ?? null,
    namespace: context?.namespace ?? null,
    authorization: authorization.kind,
    plugin: authorization.kind === "exec" ? authorization.plugin.command : null,
    clientCertificateNotAfterMs: expiry.value,
    caNotAfterMs: trust.caNotAfterMs,
    insecure: cluster.insecure,
    proxied: cluster.proxyUrl !== null,
    prefixed: cluster.server.pathPrefix !== "/",
    impersonates: user.impersonation !== null,
    kubeconfigFiles,
  });
}

async function readClientExpiry({ certificate }: UserSettings): Promise<Outcome<number | null>> {
  if (certificate === null) return succeed(null);
  const pair = await readCertificatePair(certificate);
  return pair.ok ? readCertificateExpiry(pair.value.pem.reveal()) : pair;
}
