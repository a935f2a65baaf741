import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { makeCredentialLines, makeFixedCredential, openScopedHttp } from "./index.js";
import { testCertificates } from "./testing/certificates.js";
import { answering, openHostilePeer } from "./testing/index.js";

const ambient = makeSystemAmbient();
const { signal } = new AbortController();

async function example(baseUrl: string, ca: Uint8Array, token: string): Promise<string> {
  // README
  const credential = makeCredentialLines([["Authorization", `Bearer ${token}`]]);
  if (!credential.ok) return credential.failure.message;
  const opened = openScopedHttp({
    baseUrl, // https://cluster.example:6443
    tls: { ca },
    credential: makeFixedCredential(credential.value),
    ambient,
  });
  if (!opened.ok) return opened.failure.message;
  await using scope = opened.value;

  const target = { segments: ["api", "v1", "namespaces", "web", "pods"] };
  const pods = await scope.reader().get(target, { accept: "application/json", signal });
  if (!pods.ok) return pods.failure.code;

  const write = scope.intoWrite(); // good for one try
  const sent = await write.send(
    {
      method: "PATCH",
      segments: ["apis", "apps", "v1", "namespaces", "web", "deployments", "api"],
      contentType: "application/merge-patch+json",
      accept: "application/json",
      body: new TextEncoder().encode('{"metadata":{"labels":{"seen":"true"}}}'),
    },
    { correlation: "0195f6a0-0000-7000-8000-000000000001", signal },
  );
  if (sent.ok) return `answered ${sent.value.status}`;
  return sent.failure.sent === "no" ? "nothing left this machine" : "it may have happened";
  // end
}

function exampleText(): string {
  const source = readFileSync(new URL(import.meta.url), "utf8");
  const [, text = ""] = /\n {2}\/\/ README\n(.*?)\n {2}\/\/ end\n/s.exec(source) ?? [];
  return text.replaceAll(/^ {2}/gm, "");
}

test("the example of the README is this one, and runs", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(exampleText()).not.toBe("");
  expect(readme).toContain(exampleText());
  const { ca, server } = await testCertificates();
  const script = answering(() => ({ status: 200 }));
  await using peer = await openHostilePeer({ tls: server, script });
  expect(await example(peer.url, ca, "token")).toBe("answered 200");
  expect(peer.requests().map((request) => request.method)).toEqual(["GET", "PATCH"]);
});
