import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityReviewMsMax, type ConnectionSource } from "@connectors/domain";
import type { Outcome } from "@connectors/sdk";
import { makeManualAmbient, makeSystemAmbient } from "@connectors/sdk/testing";
import {
  answering,
  headerOf,
  openHostilePeer,
  type HostilePeer,
  type PlainAnswer,
  type SeenRequest,
} from "@connectors/transport/testing";
import { afterAll, describe, expect, test } from "vitest";
import { fixtureCertificates } from "../testing/fixture-certificates.js";
import { readConnectionFacts } from "./connection-facts.js";
import { openConnection, type NodeConnection } from "./connection.js";
import { makeInClusterSource } from "./in-cluster.js";
import type { NodeEnvironment } from "./node-environment.js";

const folder = mkdtempSync(join(tmpdir(), "connection-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { one, two, server, client } = fixtureCertificates;
const environment: NodeEnvironment = {
  variables: {},
  homeFolder: folder,
  workingFolder: folder,
  terminal: false,
};
const signal = new AbortController().signal;
let files = 0;

function write(text: string, name: string = `file-${(files += 1)}`): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

interface Config {
  readonly user: string;
  readonly cluster?: string;
  readonly port: number;
  readonly path?: string;
}

function writeConfig({ user, cluster, port, path = "" }: Config, name?: string): string {
  const trust = cluster ?? `certificate-authority-data: ${base64(one.pem)}`;
  return write(
    `{current-context: m, contexts: [{name: m, context: {cluster: c, user: u, namespace: web}}],
      clusters: [{name: c, cluster: {server: "https://127.0.0.1:${port}${path}", ${trust}}}],
      users: [{name: u, user: {${user}}}]}`,
    name,
  );
}

const sourceOf = (kubeconfig: string): ConnectionSource => ({
  kind: "kubeconfig",
  kubeconfig,
  context: null,
});

function reviewed(username: string, groups: readonly string[] = []): PlainAnswer {
  const kind = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  return {
    status: 201,
    body: JSON.stringify({ ...kind, status: { userInfo: { username, groups } } }),
  };
}

function openPeer(
  choose: (request: SeenRequest) => PlainAnswer,
  requestCert = false,
): Promise<HostilePeer> {
  return openHostilePeer({
    script: answering(choose),
    tls: {
      cert: server.pem,
      key: server.key,
      ca: one.pem,
      requestCert,
      rejectUnauthorized: requestCert,
    },
  });
}

function connect(source: ConnectionSource): NodeConnection {
  return openConnection({ source, environment, ambient: makeSystemAmbient() });
}

function codeOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? "ok" : `${outcome.failure.code}: ${outcome.failure.message}`;
}

async function captureCode(source: ConnectionSource): Promise<string> {
  await using connection = connect(source);
  const captured = await connection.capture({ signal });
  if (captured.ok) await captured.value[Symbol.asyncDispose]();
  return codeOf(captured);
}

describe("describing a connection", () => {
  const describing = async (config: Config): Promise<unknown> => {
    await using connection = connect(sourceOf(writeConfig(config)));
    const described = await connection.describe();
    return described.ok ? described.value : codeOf(described);
  };

  test("says the port, the base path, the verified name and the trust, without a request", async () => {
    const user = "token: a";
    expect(await describing({ user, port: 6443, path: "/k8s/c-1" })).toEqual({
      base_url: "https://127.0.0.1:6443/k8s/c-1/",
      tls_name: "127.0.0.1",
      trust_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await describing({ user, port: 443, cluster: "tls-server-name: cluster.test" })).toEqual(
      { base_url: "https://127.0.0.1:443/", tls_name: "cluster.test", trust_sha256: "system" },
    );
    const cluster = "insecure-skip-tls-verify: true";
    expect(await describing({ user, port: 443, cluster })).toMatchObject({
      trust_sha256: "unverified",
    });
  });

  test("fails as its files do", async () => {
    expect(
      await describing({ user: "token: a", port: 1, cluster: "certificate-authority: /no" }),
    ).toBe("unavailable: the certificate-authority does not exist");
    expect(
      await describing({
        user: "token: a",
        port: 1,
        cluster: `certificate-authority-data: ${base64("x")}`,
      }),
    ).toBe("invalid_input: the certificate-authority holds no readable certificate");
  });
});

describe("capturing a connection", () => {
  test("asks one SelfSubjectReview with the token, and says who it named", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    await using connection = connect(
      sourceOf(writeConfig({ user: "token: t0ken", port: peer.port })),
    );
    const captured = await connection.capture({ signal });
    expect(captured.ok && captured.value.username).toBe("ada");
    expect(peer.requests().map(({ method, target }) => `${method} ${target}`)).toEqual([
      "POST /apis/authentication.k8s.io/v1/selfsubjectreviews",
    ]);
    const [request] = peer.requests();
    expect(request && headerOf(request, "authorization")).toBe("Bearer t0ken");
  });

  test("sends whom the user acts as, groups and extras on lines of their own", async () => {
    await using peer = await openPeer(() => reviewed("bob"));
    const user = `token: t, as: bob, as-uid: u, as-groups: [g1, g2], as-user-extra: {"a/b%": [one, two]}`;
    expect(await captureCode(sourceOf(writeConfig({ user, port: peer.port })))).toBe("ok");
    const lines = peer.requests()[0]?.headers.filter(([name]) => /^impersonate/i.test(name));
    expect(lines?.map(([name, value]) => `${name.toLowerCase()}: ${value}`)).toEqual([
      "impersonate-user: bob",
      "impersonate-uid: u",
      "impersonate-group: g1",
      "impersonate-group: g2",
      "impersonate-extra-a%2fb%25: one",
      "impersonate-extra-a%2fb%25: two",
    ]);
  });

  test("presents the client certificate, from data or from files", async () => {
    await using peer = await openPeer(() => reviewed("ada"), true);
    const inline = `client-certificate-data: ${base64(client.pem)}, client-key-data: ${base64(client.key)}`;
    const named = `client-certificate: ${write(client.pem)}, client-key: ${write(client.key)}`;
    for (const user of [inline, named]) {
      expect(await captureCode(sourceOf(writeConfig({ user, port: peer.port })))).toBe("ok");
    }
  });

  test("sends a password as Basic, UTF-8", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    const user = "username: ada, password: pässword";
    expect(await captureCode(sourceOf(writeConfig({ user, port: peer.port })))).toBe("ok");
    const [request] = peer.requests();
    expect(request && headerOf(request, "authorization")).toBe(`Basic ${base64("ada:pässword")}`);
  });

  test("reads a token file anew each time, without the blanks around it", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    const token = write("first\n");
    await using connection = connect({
      kind: "server",
      server: `https://127.0.0.1:${peer.port}`,
      ca_file: write(one.pem),
      token_file: token,
    });
    for (const text of ["first\n", "second"]) {
      writeFileSync(token, text);
      const captured = await connection.capture({ signal });
      expect(codeOf(captured)).toBe("ok");
    }
    expect(peer.requests().map((request) => headerOf(request, "authorization"))).toEqual([
      "Bearer first",
      "Bearer second",
    ]);
  });

  test("in a Pod uses its service account", async () => {
    await using peer = await openPeer(() => reviewed("system:serviceaccount:web:bot"));
    write(one.pem, "ca.crt");
    write("t0ken", "token");
    const variables = {
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: String(peer.port),
    };
    const source = makeInClusterSource({ ...environment, variables }, folder);
    expect(source.ok && (await captureCode(source.value))).toBe("ok");
    expect(codeOf(makeInClusterSource(environment))).toMatch(/^unavailable/);
  });

  test("hands out one write or upgrade, and not another", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    await using connection = connect(sourceOf(writeConfig({ user: "token: t", port: peer.port })));
    const bounds = { messageBytesMax: 1, totalBytesMax: 1, timeoutMs: 1 };
    for (const first of ["write", "upgrade"] as const) {
      const captured = await connection.capture({ signal });
      if (!captured.ok) throw new Error(codeOf(captured));
      await using held = captured.value;
      expect((first === "write" ? held.write() : held.upgrade(bounds)).ok).toBe(true);
      expect(codeOf(held.write())).toMatch(/^lifecycle_conflict/);
      expect(codeOf(held.upgrade(bounds))).toMatch(/^lifecycle_conflict/);
    }
  });

  test("shares its connections between captures, and has none after it was given up", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    const connection = connect(sourceOf(writeConfig({ user: "token: t", port: peer.port })));
    const answer = { accept: "application/json", signal };
    for (let n = 0; n < 10; n += 1) {
      const captured = await connection.capture({ signal });
      if (!captured.ok) throw new Error(codeOf(captured));
      expect(codeOf(await captured.value.http.get({ segments: ["version"] }, answer))).toBe("ok");
      await captured.value[Symbol.asyncDispose]();
    }
    // Ten captures and reads; the pool may open a second connection while the first falls idle.
    expect(peer.handshakeCount()).toBeLessThanOrEqual(2);
    await connection[Symbol.asyncDispose]();
    expect(codeOf(await connection.capture({ signal }))).toMatch(/^unavailable/);
  });
});

describe("a capture is refused", () => {
  test.each([
    ["a 401", { status: 401 }, "unauthorized: the API server does not accept the credential"],
    ["a 403", { status: 403 }, "forbidden: this user may not ask who it is"],
    [
      "a 403 to nobody",
      {
        status: 403,
        body: JSON.stringify({
          kind: "Status",
          apiVersion: "v1",
          status: "Failure",
          message: 'x is forbidden: User "system:anonymous" cannot create',
        }),
      },
      "unauthorized: the API server sees an anonymous user",
    ],
    ["a 429", { status: 429 }, "rate_limited: the API server takes no more requests now"],
    ["a 503", { status: 503 }, "unavailable: the API server answered 503"],
    [
      "a redirect",
      { status: 302, headers: [["location", "https://elsewhere/"]] },
      "upstream_protocol: the API server answered 302 to a SelfSubjectReview",
    ],
    [
      "a 404",
      { status: 404 },
      "upstream_protocol: the API server answered 404 to a SelfSubjectReview",
    ],
    ["text", { status: 201, body: "hello" }, "upstream_protocol: the answer is not strict JSON"],
    [
      "the anonymous user",
      reviewed("system:anonymous"),
      "unauthorized: the API server sees an anonymous user",
    ],
    [
      "an unauthenticated user of any name",
      reviewed("guest", ["system:unauthenticated"]),
      "unauthorized: the API server sees an anonymous user",
    ],
    [
      "an endless name",
      reviewed("x".repeat(1025)),
      "upstream_protocol: the SelfSubjectReview's username is too long",
    ],
  ] as readonly (readonly [string, PlainAnswer, string])[])(
    "on %s",
    async (_what, answer, message) => {
      await using peer = await openPeer(() => answer);
      const kubeconfig = writeConfig({ user: "token: t", port: peer.port });
      expect(await captureCode(sourceOf(kubeconfig))).toBe(message);
      expect(peer.requests().length).toBe(1);
    },
  );

  test.each([
    [
      "an empty token file",
      `tokenFile: ${write(" \n")}`,
      "invalid_input: the token is empty or has characters that a token cannot have",
    ],
    [
      "a token with a line break",
      `token: "a\\nb"`,
      "invalid_input: the token is empty or has characters that a token cannot have",
    ],
    ["a missing token file", "tokenFile: /no/token", "unavailable: the token file does not exist"],
    [
      "a token file that is a folder",
      "tokenFile: /",
      "invalid_input: the token file is not a regular file",
    ],
    [
      "a username with a colon",
      "username: 'a:b', password: c",
      "invalid_input: the username has a colon",
    ],
    [
      "a key of another certificate",
      `client-certificate-data: ${base64(client.pem)}, client-key-data: ${base64(two.key)}`,
      "invalid_input: The client certificate and its key are not a usable PEM pair.",
    ],
    [
      "a certificate that is none",
      `client-certificate-data: ${base64("x")}, client-key-data: ${base64(client.key)}`,
      "invalid_input: the client certificate holds no readable certificate",
    ],
  ])("on %s, before any request", async (_what, user, message) => {
    await using peer = await openPeer(() => reviewed("ada"));
    expect(await captureCode(sourceOf(writeConfig({ user, port: peer.port })))).toBe(message);
    expect(peer.connectionCount()).toBe(0);
  });

  test("on a server that the CA did not sign", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    const cluster = `certificate-authority-data: ${base64(two.pem)}`;
    const kubeconfig = writeConfig({ user: "token: s3cret", cluster, port: peer.port });
    expect(await captureCode(sourceOf(kubeconfig))).toMatch(/^unavailable/);
    expect(peer.requests()).toEqual([]);
  });

  test("on a client certificate that has expired", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    const user = `client-certificate-data: ${base64(client.pem)}, client-key-data: ${base64(client.key)}`;
    const ambient = makeManualAmbient({ startMs: Date.UTC(2127, 0, 1) });
    const source = sourceOf(writeConfig({ user, port: peer.port }));
    await using connection = openConnection({ source, environment, ambient });
    expect(codeOf(await connection.capture({ signal }))).toBe(
      "unauthorized: the client certificate has expired",
    );
    expect(peer.connectionCount()).toBe(0);
  });

  test("on files that lead elsewhere than they were described", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    await using elsewhere = await openPeer(() => reviewed("ada"));
    const kubeconfig = writeConfig({ user: "token: t", port: peer.port }, "moved");
    await using connection = connect(sourceOf(kubeconfig));
    expect(codeOf(await connection.describe())).toBe("ok");
    writeConfig({ user: "token: t", port: elsewhere.port }, "moved");
    expect(codeOf(await connection.capture({ signal }))).toMatch(/^identity_mismatch/);
    expect(peer.connectionCount() + elsewhere.connectionCount()).toBe(0);
    // Described anew, it may be captured: whoever asked for it has seen the new place.
    expect(codeOf(await connection.describe())).toBe("ok");
    expect(codeOf(await connection.capture({ signal }))).toBe("ok");
  });

  test("through a proxy that the kubeconfig came to name, where none is accepted", async () => {
    await using peer = await openPeer(() => reviewed("ada"));
    const { port } = peer;
    const source = sourceOf(writeConfig({ user: "token: t", port }, "proxied"));
    const ambient = makeSystemAmbient();
    await using connection = openConnection({ source, ambient, environment, proxy: "refuse" });
    expect(codeOf(await connection.describe())).toBe("ok");
    const cluster = `certificate-authority-data: ${base64(one.pem)}, proxy-url: "http://127.0.0.1:1"`;
    writeConfig({ user: "token: t", cluster, port }, "proxied");
    expect(codeOf(await connection.capture({ signal }))).toMatch(/^stale_description/);
    expect(peer.connectionCount()).toBe(0);
  });
});

describe("the identity", () => {
  async function reviewsAfter(
    change: (at: { advance: (ms: number) => void; token: (text: string) => void }) => void,
  ): Promise<number> {
    await using peer = await openPeer(() => reviewed("ada"));
    const token = write("first");
    const ambient = makeManualAmbient();
    const source: ConnectionSource = {
      kind: "server",
      server: `https://127.0.0.1:${peer.port}`,
      ca_file: write(one.pem),
      token_file: token,
    };
    await using connection = openConnection({ source, environment, ambient });
    expect(codeOf(await connection.capture({ signal }))).toBe("ok");
    change({
      advance: (ms) => ambient.advance(ms),
      token: (text) => writeFileSync(token, text),
    });
    expect(codeOf(await connection.capture({ signal }))).toBe("ok");
    return peer.requests().length;
  }

  test("is asked again after identityReviewMsMax, and not before", async () => {
    expect(await reviewsAfter(({ advance }) => advance(identityReviewMsMax - 1))).toBe(1);
    expect(await reviewsAfter(({ advance }) => advance(identityReviewMsMax))).toBe(2);
  });

  test("is asked again at once for another credential", async () => {
    expect(await reviewsAfter(({ token }) => token("second"))).toBe(2);
  });
});

describe("the facts of a connection", () => {
  test("say what a person should know, and no secret", async () => {
    const user = `token: s3cret, client-certificate-data: ${base64(client.pem)}, client-key-data: ${base64(client.key)}, as: bob`;
    const cluster = `insecure-skip-tls-verify: true, proxy-url: "http://u:s3cret@proxy:1"`;
    const kubeconfig = writeConfig({ user, cluster, port: 6443, path: "/x" });
    const facts = await readConnectionFacts({ source: sourceOf(kubeconfig), environment });
    expect(facts.ok && facts.value).toEqual({
      description: {
        base_url: "https://127.0.0.1:6443/x/",
        tls_name: "127.0.0.1",
        trust_sha256: "unverified",
      },
      context: "m",
      namespace: "web",
      authorization: "token",
      plugin: null,
      clientCertificateNotAfterMs: expect.any(Number) as number,
      caNotAfterMs: null,
      insecure: true,
      proxied: true,
      prefixed: true,
      impersonates: true,
      kubeconfigFiles: [kubeconfig],
    });
    expect(JSON.stringify(facts)).not.toContain("s3cret");
    const expiry = facts.ok ? (facts.value.clientCertificateNotAfterMs ?? 0) : 0;
    expect(new Date(expiry).getUTCFullYear()).toBe(2126);
  });
});
