import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { proxyAnswerBytesMax } from "@connectors/domain";
import { parseProxy } from "./proxy.js";
import type { ScopedHttpOptions } from "./scoped-http.js";
import { testCertificates } from "./testing/certificates.js";
import {
  answering,
  openHostilePeer,
  type HostilePeer,
  type PeerConnection,
  type PeerScript,
} from "./testing/index.js";
import { given, openTestScope, pods, reading, summary } from "./testing/test-scope.js";

const { ca, server, client } = await testCertificates();
const ok = answering(() => ({ status: 200, body: "behind" }));
const patch = {
  ...pods,
  method: "PATCH",
  contentType: "application/json",
  accept: "application/json",
  body: Buffer.from("{}"),
} as const;
const sending = { correlation: "c-1", signal: new AbortController().signal };
const bounds = { messageBytesMax: 10, totalBytesMax: 10, timeoutMs: 5000 };

/** A proxy that joins what it is asked for to `port`, whatever name was asked. */
function tunnelTo(port: number): PeerScript {
  return async (connection) => {
    if ((await connection.readRequest()) === undefined) return;
    const onward = connect(port, "127.0.0.1");
    onward.on("error", () => undefined);
    await connection.write("HTTP/1.1 200 Connection established\r\n\r\n");
    onward.on("data", (bytes: Buffer) => void connection.write(bytes));
    onward.on("close", () => connection.finish());
    await pump(connection, (bytes) => onward.write(bytes));
    onward.destroy();
  };
}

async function pump(connection: PeerConnection, onward: (bytes: Buffer) => void): Promise<void> {
  for (;;) {
    const bytes = await connection.readBytes();
    if (bytes === undefined) return;
    onward(bytes);
  }
}

async function through(
  proxy: HostilePeer,
  more: Partial<ScopedHttpOptions> = {},
  userInfo = "",
): Promise<{ read: string; write: string; upgrade: string }> {
  await using scope = openTestScope("https://cluster.test:6443/", {
    tls: { ca },
    proxyUrl: proxy.url.replace("://", `://${userInfo}`),
    ...more,
  });
  const read = await scope.reader().get(pods, reading());
  const write = await scope.intoWrite().send(patch, sending);
  const upgrade = await scope
    .intoUpgradeWrite(bounds)
    .upgrade({ ...pods, subprotocols: ["p"] }, sending);
  return {
    read: read.ok ? Buffer.from(read.value.body).toString() : summary(read),
    write: write.ok ? "answered" : summary(write),
    upgrade: upgrade.kind,
  };
}

describe("a configured proxy", () => {
  test("is asked for the cluster's name and carries everything to it under TLS", async () => {
    await using cluster = await openHostilePeer({ tls: server, script: ok });
    await using proxy = await openHostilePeer({ script: tunnelTo(cluster.port) });
    const ends = await through(proxy, {}, "ada:p%40ss@");
    expect(ends).toEqual({ read: "behind", write: "answered", upgrade: "answered" });
    expect(proxy.requests()).toHaveLength(3);
    for (const request of proxy.requests()) {
      expect([request.method, request.target]).toEqual(["CONNECT", "cluster.test:6443"]);
      const basic = `Basic ${Buffer.from("ada:p@ss").toString("base64")}`;
      expect(request.headers).toEqual([
        ["Host", "cluster.test:6443"],
        ["Proxy-Authorization", basic],
      ]);
    }
  });

  test("over https is verified by its own name and shown no client certificate", async () => {
    await using cluster = await openHostilePeer({ tls: server, script: ok });
    const tls = { ...server, ca, requestCert: true, rejectUnauthorized: true };
    await using strict = await openHostilePeer({ tls, script: tunnelTo(cluster.port) });
    const withPair = { tls: { ca, certificate: client } };
    expect((await through(strict, withPair)).write).toMatch(/^no unavailable/);
    await using proxy = await openHostilePeer({ tls: server, script: tunnelTo(cluster.port) });
    expect((await through(proxy, withPair)).read).toBe("behind");
    const { wrongName } = await testCertificates();
    await using other = await openHostilePeer({ tls: wrongName, script: ok });
    expect((await through(other, withPair)).write).toBe("no unavailable tls_wrong_name");
    expect(other.requests()).toEqual([]);
  });

  test.each([
    ["says no", "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"],
    ["redirects", "HTTP/1.1 302 Found\r\nlocation: http://x/\r\n\r\n"],
    ["speaks no HTTP", "nonsense\r\n\r\n"],
    ["speaks before the server could", "HTTP/1.1 200 OK\r\n\r\nearly"],
    ["sends headers without end", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(proxyAnswerBytesMax)}`],
  ])("that %s proves that nothing was sent", async (_what, answer) => {
    await using proxy = await openHostilePeer({
      async script(connection) {
        await connection.readRequest();
        await connection.write(answer);
        await connection.hang();
      },
    });
    expect(await through(proxy)).toEqual({
      read: "unavailable proxy_refused",
      write: "no unavailable proxy_refused",
      upgrade: "notSent",
    });
  });

  test("that goes away, or is silent, proves that nothing was sent", async () => {
    await using gone = await openHostilePeer({
      async script(connection) {
        await connection.readRequest();
        connection.reset();
      },
    });
    expect((await through(gone)).write).toBe("no unavailable proxy_refused");
    await using silent = await openHostilePeer({ script: (connection) => connection.hang() });
    const quick = { limits: { connectMs: 50 } };
    expect(await through(silent, quick)).toEqual({
      read: "timeout",
      write: "no timeout",
      upgrade: "notSent",
    });
  });

  test("cannot stand for the cluster", async () => {
    const { untrusted } = await testCertificates();
    await using liar = await openHostilePeer({ tls: untrusted, script: ok });
    await using proxy = await openHostilePeer({ script: tunnelTo(liar.port) });
    expect((await through(proxy)).write).toBe("no unavailable tls_untrusted");
    expect(liar.requests()).toEqual([]);
  });

  test.each([
    "nonsense",
    "socks5://127.0.0.1:1080",
    "http://h/path",
    "http://h/?q",
    "http://h/#f",
    "http://%ff@h/",
  ])("at %s is refused when the scope is opened", (url) => {
    expect(summary(parseProxy(url))).toBe("invalid_input");
  });

  test("has a default port, and brackets around an IPv6 address in its URL alone", () => {
    expect(given(parseProxy("http://h"))).toMatchObject({ host: "h", port: 80, secure: false });
    expect(given(parseProxy("https://[::1]/"))).toMatchObject({ host: "::1", port: 443 });
  });
});
