import { describe, expect, test } from "vitest";
import { makeManualAmbient } from "@connectors/sdk/testing";
import type { ScopedHttpOptions } from "./scoped-http.js";
import { testCertificates } from "./testing/certificates.js";
import {
  answering,
  openHostilePeer,
  type HostilePeer,
  type HostilePeerOptions,
} from "./testing/index.js";
import { makeTestCredential, openTestScope, pods, reading, summary } from "./testing/test-scope.js";
import { until } from "./testing/until.js";

const certificates = await testCertificates();
const { ca, server } = certificates;
const ok = answering(() => ({ status: 200 }));
const patch = {
  ...pods,
  method: "PATCH",
  contentType: "application/json",
  accept: "application/json",
  body: Buffer.from("{}"),
} as const;
const sending = { correlation: "c-1", signal: new AbortController().signal } as const;
const bounds = { messageBytesMax: 10, totalBytesMax: 10, timeoutMs: 10_000 };

type PeerTls = NonNullable<HostilePeerOptions["tls"]>;

interface Ends {
  readonly read: string;
  readonly write: string;
  readonly upgrade: string;
  readonly peer: HostilePeer;
}

/** How a read, a write and an upgrade end against one peer. */
async function endsOf(
  peerTls: PeerTls,
  options: Partial<ScopedHttpOptions>,
  host = "127.0.0.1",
): Promise<Ends> {
  await using peer = await openHostilePeer({ tls: peerTls, script: ok });
  await using scope = openTestScope(`https://${host}:${peer.port}`, options);
  const read = await scope.reader().get(pods, reading());
  const write = await scope.intoWrite().send(patch, sending);
  const upgraded = await scope
    .intoUpgradeWrite(bounds)
    .upgrade({ ...pods, subprotocols: ["p"] }, sending);
  const { kind } = upgraded;
  const reason = "failure" in upgraded ? ` ${upgraded.failure.reason ?? ""}` : "";
  return {
    read: read.ok ? "answered" : summary(read),
    write: write.ok ? "answered" : summary(write),
    upgrade: `${kind}${reason}`.trim(),
    peer,
  };
}

describe("a server's certificate", () => {
  test("is trusted by the scope's CA", async () => {
    expect(await endsOf(server, { tls: { ca } })).toMatchObject({
      read: "answered",
      write: "answered",
      upgrade: "answered",
    });
  });

  test.each([
    ["of another authority", certificates.untrusted, "tls_untrusted"],
    ["for another name", certificates.wrongName, "tls_wrong_name"],
    ["that has expired", certificates.expired, "tls_expired"],
  ])("%s is refused before anything is sent", async (_what, pair, reason) => {
    const ends = await endsOf(pair, { tls: { ca } });
    expect(ends.read).toBe(`unavailable ${reason}`);
    expect(ends.write).toBe(`no unavailable ${reason}`);
    expect(ends.upgrade).toBe(`notSent ${reason}`);
    expect(ends.peer.requests()).toEqual([]);
  });

  test("is not trusted by the built-in roots when the scope names none", async () => {
    expect((await endsOf(server, {})).write).toBe("no unavailable tls_untrusted");
  });

  test("is held to the name that the scope says, whatever the address", async () => {
    const named = await endsOf(certificates.wrongName, {
      tls: { ca, serverName: "elsewhere.test" },
    });
    expect([named.read, named.write, named.upgrade]).toEqual(Array(3).fill("answered"));
    expect(named.peer.serverNames()).toEqual(Array(3).fill("elsewhere.test"));
    const wrong = await endsOf(server, { tls: { ca, serverName: "elsewhere.test" } });
    expect(wrong.write).toBe("no unavailable tls_wrong_name");
  });

  test("is held to the host name of the address", async () => {
    const named = await endsOf(server, { tls: { ca } }, "localhost");
    expect(named.read).toBe("answered");
    expect(named.peer.serverNames()).toEqual(Array(3).fill("localhost"));
    const addressed = await endsOf(server, { tls: { ca } });
    expect(addressed.peer.serverNames()).toEqual(Array(3).fill(undefined));
    const wrong = await endsOf(certificates.wrongName, { tls: { ca } }, "localhost");
    expect(wrong.read).toBe("unavailable tls_wrong_name");
  });

  test("may be anybody's only where verification is turned off in so many words", async () => {
    const ends = await endsOf(certificates.untrusted, { tls: { insecureSkipVerify: true } });
    expect([ends.read, ends.write, ends.upgrade]).toEqual(Array(3).fill("answered"));
  });
});

describe("a client's certificate", () => {
  const wantsOne = { ...server, ca, requestCert: true, rejectUnauthorized: true };

  test("is presented by calls and upgrades alike", async () => {
    const ends = await endsOf(wantsOne, { tls: { ca, certificate: certificates.client } });
    expect([ends.read, ends.write, ends.upgrade]).toEqual(Array(3).fill("answered"));
  });

  test("that comes with the credential is presented too", async () => {
    const credential = makeTestCredential(certificates.client);
    const ends = await endsOf(wantsOne, { tls: { ca }, credential });
    expect([ends.read, ends.write, ends.upgrade]).toEqual(Array(3).fill("answered"));
  });

  test("that is missing proves under TLS 1.2 that nothing was sent", async () => {
    const ends = await endsOf({ ...wantsOne, maxVersion: "TLSv1.2" }, { tls: { ca } });
    expect(ends.write).toMatch(/^no unavailable/);
    expect(ends.upgrade).toMatch(/^notSent/);
    expect(ends.peer.requests()).toEqual([]);
  });

  test("that is missing or unknown under TLS 1.3 leaves open what was sent", async () => {
    for (const certificate of [undefined, certificates.otherClient]) {
      const tls = certificate === undefined ? { ca } : { ca, certificate };
      const ends = await endsOf({ ...wantsOne, minVersion: "TLSv1.3" }, { tls });
      expect(ends.write).toMatch(/^maybe unavailable (tls_client_certificate|connection_lost)$/);
      expect(ends.upgrade).toMatch(/^lost (tls_client_certificate|connection_lost)$/);
      expect(ends.peer.requests()).toEqual([]);
    }
  });
});

describe("a connection", () => {
  test("that TLS never answers is given up at its limit, and nothing was sent", async () => {
    await using peer = await openHostilePeer({ tls: server, script: ok, onTcp: () => true });
    const ambient = makeManualAmbient();
    await using scope = openTestScope(peer.url, { tls: { ca }, ambient });
    const sent = scope.intoWrite().send(patch, sending);
    await until(() => peer.connectionCount() === 1);
    ambient.advance(4999);
    const early = await Promise.race([sent, new Promise((resolve) => setImmediate(resolve))]);
    expect(early).toBeUndefined();
    ambient.advance(1);
    expect(summary(await sent)).toBe("no timeout");
  });

  test("has a limit that its scope may narrow", async () => {
    await using peer = await openHostilePeer({ tls: server, script: ok, onTcp: () => true });
    await using scope = openTestScope(peer.url, { tls: { ca }, limits: { connectMs: 30 } });
    expect(summary(await scope.reader().get(pods, reading()))).toBe("timeout");
    const upgraded = scope.intoUpgradeWrite(bounds);
    const outcome = await upgraded.upgrade({ ...pods, subprotocols: ["p"] }, sending);
    expect(outcome).toMatchObject({ kind: "notSent", failure: { code: "timeout" } });
  });

  test.each([
    ["resets", (socket: { resetAndDestroy(): unknown }) => void socket.resetAndDestroy()],
    ["ends", (socket: { end(): unknown }) => void socket.end()],
    [
      "speaks plain HTTP",
      (socket: { end(text: string): unknown }) => void socket.end("HTTP/1.1 400\r\n\r\n"),
    ],
  ])("whose peer %s before TLS proves that nothing was sent", async (_what, act) => {
    await using peer = await openHostilePeer({
      tls: server,
      script: ok,
      onTcp(socket) {
        act(socket);
        return true;
      },
    });
    await using scope = openTestScope(peer.url, { tls: { ca } });
    expect(summary(await scope.intoWrite().send(patch, sending))).toMatch(/^no unavailable/);
  });

  test("to a name that leads nowhere says so", async () => {
    await using scope = openTestScope("https://no-such-host.invalid", { tls: { ca } });
    const outcome = await scope.intoWrite().send(patch, sending);
    expect(summary(outcome)).toBe("no unavailable name_not_found");
  });

  test("speaks no TLS older than 1.2", async () => {
    const old = { ...server, maxVersion: "TLSv1.1", minVersion: "TLSv1" } as const;
    expect((await endsOf(old, { tls: { ca } })).write).toBe("no unavailable tls_handshake");
  });
});
