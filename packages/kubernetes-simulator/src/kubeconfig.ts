import type { UserCredential } from "./access/users.js";

/**
 * A kubeconfig for one user, as YAML that kubectl and every client reads: by client certificate
 * when the user has one, else by token.
 */
export function encodeKubeconfig(url: string, caPem: string, user: UserCredential): string {
  const credential =
    user.certificate === undefined
      ? [`      token: ${JSON.stringify(user.token)}`]
      : [
          `      client-certificate-data: ${encodePem(user.certificate.certificatePem)}`,
          `      client-key-data: ${encodePem(user.certificate.keyPem)}`,
        ];
  const name = JSON.stringify(user.name);
  return [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    "  - name: simulator",
    "    cluster:",
    `      server: ${JSON.stringify(url)}`,
    `      certificate-authority-data: ${encodePem(caPem)}`,
    "users:",
    `  - name: ${name}`,
    "    user:",
    ...credential,
    "contexts:",
    "  - name: simulator",
    "    context:",
    "      cluster: simulator",
    `      user: ${name}`,
    "current-context: simulator",
    "",
  ].join("\n");
}

function encodePem(pem: string): string {
  return Buffer.from(pem, "utf8").toString("base64");
}
