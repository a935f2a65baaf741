import { fail, succeed, type Outcome } from "@connectors/sdk";
import { makeWireObject } from "../request/wire-object.js";
import type { PluginVersion } from "./plugin-settings.js";
import { makeSecretText, type SecretText } from "./secret-text.js";
import { parseYamlText } from "./yaml-text.js";

/** What an exec plugin gave: a token, a certificate pair, or both. */
export interface ExecCredential {
  readonly token: SecretText | null;
  readonly certificate: { readonly pem: SecretText; readonly key: SecretText } | null;
  /** Null: good for as long as this process lives. */
  readonly expiresAtMs: number | null;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * The ExecCredential that a plugin printed, as JSON or YAML, in the version that was asked for.
 * Anything else is `unauthorized`: there is no credential. Nothing printed is ever repeated.
 */
export function parseExecCredential(
  printed: string,
  version: PluginVersion,
): Outcome<ExecCredential> {
  const parsed = parseYamlText(printed, "the exec plugin's output");
  if (!parsed.ok) return refuseOutput("is neither JSON nor YAML");
  const document = makeWireObject(parsed.value);
  const apiVersion = document.text("apiVersion");
  const kind = document.text("kind");
  const status = document.object("status");
  const token = status.text("token") ?? "";
  const pem = status.text("clientCertificateData") ?? "";
  const key = status.text("clientKeyData") ?? "";
  const expiry = status.text("expirationTimestamp") ?? "";
  if (!document.wellTyped() || kind !== "ExecCredential") {
    return refuseOutput("is not an ExecCredential");
  }
  if (apiVersion !== version) return refuseOutput("has another apiVersion than the kubeconfig");
  if ((pem === "") !== (key === "")) return refuseOutput("has half a certificate pair");
  if (token === "" && pem === "") return refuseOutput("has no token and no certificate");
  if (expiry !== "" && !(rfc3339.test(expiry) && Number.isFinite(Date.parse(expiry)))) {
    return refuseOutput("has an expirationTimestamp that is no time");
  }
  return succeed({
    token: token === "" ? null : makeSecretText(token),
    certificate: pem === "" ? null : { pem: makeSecretText(pem), key: makeSecretText(key) },
    expiresAtMs: expiry === "" ? null : Date.parse(expiry),
  });
}

function refuseOutput(what: string): Outcome<never> {
  return fail("unauthorized", `the exec plugin's output ${what}`, { hint: pluginHint });
}

/** What to do about a plugin that gives no credential. */
export const pluginHint =
  "Run `kubectl --context NAME auth whoami` in a terminal: it shows what the plugin itself says.";
