import type { Outcome } from "@connectors/sdk";
import { parseExecCredential } from "../node/exec-credential.js";
import { readKubeconfig } from "../node/kubeconfig.js";
import { parseServerUrl } from "../node/server-url.js";
import { parseCaBundle } from "../node/trust.js";
import { fixtureCertificates } from "./fixture-certificates.js";

/** One reader of what a file or a plugin holds; it answers with an outcome and never throws. */
export interface FileTarget {
  readonly name: string;
  /** A text that it accepts, for a fuzzer to change. */
  readonly seed: string;
  readonly read: (text: string) => Promise<Outcome<unknown>>;
}

const kubeconfig = `apiVersion: v1
kind: Config
current-context: m
contexts: [{name: m, context: {cluster: c, user: u, namespace: web}}]
clusters: [{name: c, cluster: {server: "https://h:6443/x", tls-server-name: api, proxy-url: "http://p"}}]
users:
- name: u
  user: &u
    as: bob
    as-groups: [g]
    as-user-extra: {scopes: [a, b]}
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: plugin
      args: [a, "b c"]
      env: [{name: A, value: b}]
      interactiveMode: Never
      provideClusterInfo: true
- {name: other, user: *u}
`;

/** Every reader of a file's or a plugin's text. */
export const fileTargets: readonly FileTarget[] = [
  { name: "readKubeconfig", seed: kubeconfig, read: (text) => readKubeconfig({ text }) },
  {
    name: "parseExecCredential",
    seed: '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t","expirationTimestamp":"2030-01-01T00:00:00Z"}}',
    read: (text) => Promise.resolve(parseExecCredential(text, "client.authentication.k8s.io/v1")),
  },
  {
    name: "parseCaBundle",
    seed: fixtureCertificates.one.pem,
    read: (text) => Promise.resolve(parseCaBundle(text)),
  },
  {
    name: "parseServerUrl",
    seed: "https://api.example:6443/k8s/clusters/c-1/",
    read: (text) => Promise.resolve(parseServerUrl(text)),
  },
];
