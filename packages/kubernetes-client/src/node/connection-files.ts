import { resolve } from "node:path";
import { parseProvider, type ConnectionSource } from "@connectors/domain";
import { fail, succeed, type ConnectionDescription, type Outcome } from "@connectors/sdk";
import type { ClusterSettings } from "./cluster-settings.js";
import { defaultKubeconfigPaths, readKubeconfig, splitKubeconfigList } from "./kubeconfig.js";
import type { NodeEnvironment } from "./node-environment.js";
import { parseServerUrl } from "./server-url.js";
import { readTrust, type Trust } from "./trust.js";
import type { UserSettings } from "./user-settings.js";

/** What a connection's files said when they were last read; the user's own files are not read. */
export interface ConnectionFiles {
  readonly description: ConnectionDescription;
  readonly cluster: ClusterSettings;
  readonly trust: Trust;
  readonly user: UserSettings;
  /** The kubeconfig context; null for a server that was named directly. */
  readonly context: { readonly name: string; readonly namespace: string | null } | null;
  readonly kubeconfigFiles: readonly string[];
}

/**
 * The connection that `source` leads to now: every file is read anew, so that an edit is seen.
 * Fails as `readKubeconfig` and `readTrust` do.
 */
export async function readConnectionFiles(
  source: ConnectionSource,
  environment: NodeEnvironment,
): Promise<Outcome<ConnectionFiles>> {
  const settings =
    source.kind === "kubeconfig"
      ? await readContext(source, environment)
      : readServer(source, environment);
  if (!settings.ok) return settings;
  const { cluster } = settings.value;
  const trust = await readTrust(cluster);
  if (!trust.ok) return trust;
  const description = describeProvider(cluster, trust.value);
  if (!description.ok) return description;
  return succeed({ ...settings.value, trust: trust.value, description: description.value });
}

type Settings = Omit<ConnectionFiles, "trust" | "description">;

async function readContext(
  source: ConnectionSource & { readonly kind: "kubeconfig" },
  environment: NodeEnvironment,
): Promise<Outcome<Settings>> {
  const paths =
    source.kubeconfig === null
      ? defaultKubeconfigPaths(environment)
      : splitKubeconfigList(source.kubeconfig, environment);
  const read = await readKubeconfig({ paths, context: source.context });
  if (!read.ok) return read;
  const { name, namespace, cluster, user, files } = read.value;
  return succeed({ cluster, user, context: { name, namespace }, kubeconfigFiles: files });
}

function readServer(
  source: ConnectionSource & { readonly kind: "server" },
  environment: NodeEnvironment,
): Outcome<Settings> {
  const server = parseServerUrl(source.server);
  if (!server.ok) return server;
  const { workingFolder } = environment;
  return succeed({
    cluster: {
      server: server.value,
      ca:
        source.ca_file === null
          ? null
          : { kind: "file", path: resolve(workingFolder, source.ca_file) },
      insecure: false,
      serverName: null,
      proxyUrl: null,
      pluginConfig: null,
    },
    user: {
      certificate: null,
      authorization: { kind: "token_file", path: resolve(workingFolder, source.token_file) },
      impersonation: null,
    },
    context: null,
    kubeconfigFiles: [],
  });
}

function describeProvider(cluster: ClusterSettings, trust: Trust): Outcome<ConnectionDescription> {
  const provider = parseProvider({
    base_url: cluster.server.baseUrl,
    tls_name: cluster.serverName ?? cluster.server.hostname,
    trust_sha256: trust.sha256,
    // The model's bounds decide; who we are there, no file says.
    username: "unknown",
  });
  if (!provider.ok) return fail("invalid_input", "the server's address or name is too long");
  const { base_url, tls_name, trust_sha256 } = provider.value;
  return succeed({ base_url, tls_name, trust_sha256 });
}
