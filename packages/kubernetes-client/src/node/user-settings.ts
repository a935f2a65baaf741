import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { WireObject } from "../request/wire-object.js";
import { parsePluginSettings, type PluginSettings } from "./plugin-settings.js";
import type { KubeconfigEntry } from "./kubeconfig-file.js";
import { parseMaterial, resolveIn, type Material } from "./material.js";
import { makeSecretText, type SecretText } from "./secret-text.js";

/** How one user of a kubeconfig proves who it is, beside a client certificate. */
export type Authorization =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly token: SecretText }
  | { readonly kind: "token_file"; readonly path: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: SecretText }
  | { readonly kind: "exec"; readonly plugin: PluginSettings };

/** A client certificate and its key, always as one pair. */
export interface CertificatePair {
  readonly certificate: Material;
  readonly key: Material;
}

/** Whom the user acts as. */
export interface Impersonation {
  readonly username: string;
  readonly uid: string | null;
  readonly groups: readonly string[];
  /** In the order of the file; a name may have several values. */
  readonly extra: readonly (readonly [name: string, values: readonly string[]])[];
}

/** Everything that one user entry says. */
export interface UserSettings {
  readonly certificate: CertificatePair | null;
  readonly authorization: Authorization;
  readonly impersonation: Impersonation | null;
}

/** A context without a user: no credential at all. */
export const nobody: UserSettings = {
  certificate: null,
  authorization: { kind: "none" },
  impersonation: null,
};

/**
 * The settings of one user entry. `invalid_input` names the member that does not fit, and refuses
 * what kubectl refuses: two ways to authorise, half a certificate pair, groups without a name.
 * `unsupported` for an auth-provider.
 */
export function parseUserSettings(entry: KubeconfigEntry): Outcome<UserSettings> {
  const { fields } = entry;
  const provider = fields.optional("auth-provider");
  const certificate = parseCertificatePair(entry);
  const authorization = parseAuthorization(entry);
  const impersonation = parseImpersonation(fields);
  const fault = fields.fault();
  if (fault !== null) return fail("invalid_input", `the user's ${fault} has the wrong type`);
  if (provider !== null) {
    return fail("unsupported", "the user has an auth-provider", {
      hint:
        "Kubernetes removed auth-provider in v1.26: use the provider's exec plugin, " +
        "such as gke-gcloud-auth-plugin or kubelogin.",
    });
  }
  if (!certificate.ok) return certificate;
  if (!authorization.ok) return authorization;
  if (!impersonation.ok) return impersonation;
  if (authorization.value.kind === "exec" && certificate.value !== null) {
    return fail("invalid_input", "the user has a client certificate and an exec plugin");
  }
  return succeed({
    certificate: certificate.value,
    authorization: authorization.value,
    impersonation: impersonation.value,
  });
}

function parseCertificatePair(entry: KubeconfigEntry): Outcome<CertificatePair | null> {
  const certificate = parseMaterial(entry, "client-certificate");
  if (!certificate.ok) return certificate;
  const key = parseMaterial(entry, "client-key");
  if (!key.ok) return key;
  if (certificate.value === null && key.value === null) return succeed(null);
  if (certificate.value === null || key.value === null) {
    return fail(
      "invalid_input",
      "the user has a client certificate without its key, or a key alone",
    );
  }
  return succeed({ certificate: certificate.value, key: key.value });
}

function parseAuthorization({ fields, folder }: KubeconfigEntry): Outcome<Authorization> {
  const token = fields.text("token") ?? "";
  const tokenFile = fields.text("tokenFile") ?? "";
  const username = fields.text("username") ?? "";
  const password = fields.text("password") ?? "";
  const exec = fields.optional("exec");
  const hasToken = token !== "" || tokenFile !== "";
  const hasBasic = username !== "" || password !== "";
  if (hasToken && hasBasic) {
    return fail("invalid_input", "the user has a token and a password: only one is allowed");
  }
  // A token file goes before a token, and either before a plugin, as in kubectl.
  if (tokenFile !== "") {
    const path = resolveIn(folder, tokenFile);
    return path === undefined
      ? fail("invalid_input", "tokenFile is a relative path, and there is no folder to start from")
      : succeed({ kind: "token_file", path });
  }
  if (token !== "") return succeed({ kind: "token", token: makeSecretText(token) });
  if (hasBasic) return succeed({ kind: "basic", username, password: makeSecretText(password) });
  if (exec === null) return succeed({ kind: "none" });
  const plugin = parsePluginSettings(exec, folder);
  return plugin.ok ? succeed({ kind: "exec", plugin: plugin.value }) : plugin;
}

function parseImpersonation(fields: WireObject): Outcome<Impersonation | null> {
  const username = fields.text("as") ?? "";
  const uid = fields.text("as-uid") ?? "";
  const groups = fields.texts("as-groups");
  const extraFields = fields.object("as-user-extra");
  const extra = extraFields
    .memberNames()
    .map((name) => [name, extraFields.texts(name)] as const)
    .filter(([, values]) => values.length > 0);
  if (username !== "") {
    return succeed({ username, uid: uid === "" ? null : uid, groups, extra });
  }
  return uid === "" && groups.length === 0 && extra.length === 0
    ? succeed(null)
    : fail("invalid_input", "the user acts with a uid, groups or extras and without a name (as)");
}
