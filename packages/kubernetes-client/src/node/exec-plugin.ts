import {
  encodeCanonical,
  fail,
  unreachable,
  type Ambient,
  type Json,
  type Outcome,
} from "@connectors/sdk";
import type { ClusterSettings } from "./cluster-settings.js";
import { parseExecCredential, pluginHint, type ExecCredential } from "./exec-credential.js";
import type { NodeEnvironment } from "./node-environment.js";
import type { PluginSettings } from "./plugin-settings.js";
import { runProgram, type ProgramEnd } from "./program.js";

/** One run of one plugin for one cluster. */
export interface PluginRequest {
  readonly plugin: PluginSettings;
  readonly cluster: ClusterSettings;
  /** The cluster's CA as PEM; told to the plugin when it asks for cluster information. */
  readonly caPem: string | null;
}

/** What a plugin needs of the process around it. */
export interface PluginHost {
  readonly environment: NodeEnvironment;
  readonly ambient: Ambient;
}

/**
 * The credential that the plugin printed. It runs without a shell, in this process's environment
 * plus its own and `KUBERNETES_EXEC_INFO`, with bounded output and a deadline; its stderr is not
 * read unless a person is at the terminal, since it may hold anything.
 *
 * `unauthorized` when it gives no credential, `unavailable` when it cannot be run, `timeout`,
 * `interrupted`, `capacity`. No message repeats what it printed.
 */
export async function runExecPlugin(
  request: PluginRequest,
  { environment, ambient }: PluginHost,
  signal: AbortSignal,
): Promise<Outcome<ExecCredential>> {
  const { plugin } = request;
  const interactive = environment.terminal && plugin.interactiveMode !== "Never";
  if (plugin.interactiveMode === "Always" && !interactive) {
    return fail("unauthorized", "the exec plugin needs a terminal", { hint: pluginHint });
  }
  const end = await runProgram(
    {
      command: plugin.command,
      arguments: plugin.arguments,
      variables: {
        ...environment.variables,
        ...Object.fromEntries(plugin.variables),
        KUBERNETES_EXEC_INFO: encodeCanonical(describeRequest(request, interactive)),
      },
      folder: environment.workingFolder,
      interactive,
    },
    ambient.timers,
    signal,
  );
  return settleProgram(end, plugin);
}

function settleProgram(end: ProgramEnd, plugin: PluginSettings): Outcome<ExecCredential> {
  switch (end.kind) {
    case "not_started":
      return fail("unavailable", `the exec plugin cannot be started (${end.code})`, {
        hint: describeInstallHint(plugin) ?? "Install the plugin that the kubeconfig names.",
      });
    case "deadline":
      return fail("timeout", "the exec plugin took too long", { hint: pluginHint });
    case "stopped":
      return fail("interrupted", "the exec plugin was stopped");
    case "overflow":
      return fail("capacity", "the exec plugin printed too much", { hint: pluginHint });
    case "failed":
      return fail("unauthorized", `the exec plugin ended with ${end.how}`, { hint: pluginHint });
    case "ended":
      return parseExecCredential(end.stdout.toString("utf8"), plugin.version);
    default:
      return unreachable(end);
  }
}

function describeInstallHint({ installHint }: PluginSettings): string | null {
  // The kubeconfig's own text, for a person: one line, printable ASCII, bounded.
  const line = (installHint ?? "").replaceAll(/\s+/g, " ").trim();
  return /^[ -~]{1,400}$/.test(line) ? line : null;
}

function describeRequest(request: PluginRequest, interactive: boolean): Json {
  const { plugin } = request;
  const cluster = plugin.provideClusterInfo ? { cluster: describeCluster(request) } : {};
  return { apiVersion: plugin.version, kind: "ExecCredential", spec: { interactive, ...cluster } };
}

function describeCluster({ cluster, caPem }: PluginRequest): Json {
  return {
    server: cluster.server.given,
    ...(cluster.serverName === null ? {} : { "tls-server-name": cluster.serverName }),
    ...(cluster.insecure ? { "insecure-skip-tls-verify": true } : {}),
    ...(caPem === null
      ? {}
      : { "certificate-authority-data": Buffer.from(caPem, "latin1").toString("base64") }),
    ...(cluster.proxyUrl === null ? {} : { "proxy-url": cluster.proxyUrl.reveal() }),
    ...(cluster.pluginConfig === null ? {} : { config: cluster.pluginConfig }),
  };
}
