import { fail, succeed, type Json, type Outcome } from "@connectors/sdk";
import type { KubeconfigEntry } from "./kubeconfig-file.js";
import { parseMaterial, type Material } from "./material.js";
import { makeSecretText, type SecretText } from "./secret-text.js";
import { parseServerUrl, type ServerUrl } from "./server-url.js";

/** How one cluster of a kubeconfig is reached and verified. */
export interface ClusterSettings {
  readonly server: ServerUrl;
  /** Null: the system's roots. */
  readonly ca: Material | null;
  /** True: whoever answers is believed. */
  readonly insecure: boolean;
  /** The name that is verified instead of the server's host name. */
  readonly serverName: string | null;
  /** Secret, since it may carry user info. */
  readonly proxyUrl: SecretText | null;
  /** What the cluster's extension `client.authentication.k8s.io/exec` holds for a plugin. */
  readonly pluginConfig: Json;
}

/** The settings of one cluster entry; `invalid_input` names the member that does not fit. */
export function parseClusterSettings(entry: KubeconfigEntry): Outcome<ClusterSettings> {
  const { fields } = entry;
  const server = fields.text("server") ?? "";
  const insecure = fields.boolean("insecure-skip-tls-verify") ?? false;
  const serverName = emptyAsNull(fields.text("tls-server-name"));
  const proxyUrl = emptyAsNull(fields.text("proxy-url"));
  const pluginConfig = fields
    .objects("extensions")
    .find((extension) => extension.text("name") === "client.authentication.k8s.io/exec")
    ?.json("extension");
  const ca = parseMaterial(entry, "certificate-authority");
  const fault = fields.fault();
  if (fault !== null) return fail("invalid_input", `the cluster's ${fault} has the wrong type`);
  if (!ca.ok) return ca;
  if (server === "") return fail("invalid_input", "the context's cluster has no server");
  const url = parseServerUrl(server);
  if (!url.ok) return url;
  if (insecure && ca.value !== null) {
    // kubectl refuses the pair too: one of the two is a mistake, and the choice is not ours.
    return fail("invalid_input", "the cluster has a CA and insecure-skip-tls-verify");
  }
  return succeed({
    server: url.value,
    ca: ca.value,
    insecure,
    serverName,
    proxyUrl: proxyUrl === null ? null : makeSecretText(proxyUrl),
    pluginConfig: pluginConfig ?? null,
  });
}

function emptyAsNull(text: string | null): string | null {
  return text === "" ? null : text;
}
