import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { scopeBodyBytesMax, userAgentBytesMax, waitMsMax } from "@connectors/domain";
import type { SendFailure } from "@connectors/sdk";
import { makeSystemAmbient } from "@connectors/sdk/testing";
import { makeCredentialLines, makeFixedCredential, type CredentialSource } from "./credential.js";
import { openScopedHttp, type ScopedHttp, type ScopedHttpOptions } from "./scoped-http.js";
import { testCertificates } from "./testing/certificates.js";
import {
  answering,
  findClosedPort,
  headerOf,
  neverAnswers,
  openHostilePeer,
  type HostilePeer,
} from "./testing/index.js";
import {
  failureOf,
  given,
  makeTestCredential,
  openTestScope,
  plantedToken,
  pods,
  reading,
  summary,
} from "./testing/test-scope.js";
import { until } from "./testing/until.js";
import { makeWriteSource } from "./write-source.js";

const certificates = await testCertificates();
const { ca, server } = certificates;
const ok = answering(() => ({ status: 200, body: "{}" }));
const { signal } = new AbortController();
const patch = {
  ...pods,
  method: "PATCH",
  contentType: "application/json",
  accept: "application/json",
  body: Buffer.from("{}"),
} as const;
const sending = { correlation: "c-1", signal };
const bounds = { messageBytesMax: 10, totalBytesMax: 10, timeoutMs: 5000 };
const anonymous = makeFixedCredential(given(makeCredentialLines([])));

function opening(more: Partial<ScopedHttpOptions>) {
  return openScopedHttp({
    baseUrl: "https://cluster.test/",
    credential: anonymous,
    ambient: makeSystemAmbient(),
    ...more,
  });
}

/** A source whose every answer is another token, and how often it was asked. */
function makeRotatingCredential(): CredentialSource & { asked(): number } {
  let asked = 0;
  return {
    asked: () => asked,
    resolve() {
      asked += 1;
      return Promise.resolve(makeCredentialLines([["Authorization", `Bearer t${asked}`]]));
    },
  };
}

function tokensSeen(peer: HostilePeer): (string | undefined)[] {
  return peer.requests().map((request) => headerOf(request, "authorization"));
}

describe("a scope", () => {
  test.each([
    ["an address that is none", { baseUrl: "nowhere" }],
    ["plain http", { baseUrl: "http://h/" }],
    ["TLS settings for plain http", { baseUrl: "http://h/", allowPlaintext: true, tls: {} }],
    ["an empty CA bundle", { tls: { ca: new Uint8Array() } }],
    ["a proxy that is none", { proxyUrl: "socks5://h" }],
    ["an agent that is no header", { userAgent: "a\r\nb" }],
    ["an agent that is too long", { userAgent: "a".repeat(userAgentBytesMax + 1) }],
    ["a body bound over its ceiling", { limits: { bodyBytesMax: scopeBodyBytesMax + 1 } }],
    ["a body bound of nothing", { limits: { bodyBytesMax: 0 } }],
    ["a time over its ceiling", { limits: { requestMs: waitMsMax + 1 } }],
    ["no time to connect", { limits: { connectMs: 0 } }],
  ] satisfies [string, Partial<ScopedHttpOptions>][])("is not opened for %s", (_what, more) => {
    expect(summary(opening(more))).toBe("invalid_input");
  });

  test("is opened at every ceiling, without a request or a secret asked for", async () => {
    const credential = makeRotatingCredential();
    const limits = { bodyBytesMax: scopeBodyBytesMax, requestMs: waitMsMax, connectMs: waitMsMax };
    const userAgent = "a".repeat(userAgentBytesMax);
    await using scope = given(opening({ credential, limits, userAgent }));
    expect(scope).toBeDefined();
    expect(credential.asked()).toBe(0);
  });

  test("carries a credential over plain http only where it says so", async () => {
    await using peer = await openHostilePeer({ script: ok });
    await using refusing = openTestScope(peer.url, { allowPlaintext: true });
    expect(summary(await refusing.reader().get(pods, reading()))).toBe("forbidden");
    expect(summary(await refusing.intoWrite().send(patch, sending))).toBe("no forbidden");
    expect(peer.connectionCount()).toBe(0);
    await using open = openTestScope(peer.url, { allowPlaintext: true, credential: anonymous });
    given(await open.reader().get(pods, reading()));
    await using telling = openTestScope(peer.url, { allowPlaintext: "with_credential" });
    given(await telling.reader().get(pods, reading()));
    expect(tokensSeen(peer)).toEqual([undefined, `Bearer ${plantedToken}`]);
  });

  test("resolves its credential once for each request", async () => {
    await using peer = await openHostilePeer({ tls: server, script: ok });
    const credential = makeRotatingCredential();
    await using scope = openTestScope(peer.url, { tls: { ca }, credential });
    given(await scope.reader().get(pods, reading()));
    given(await scope.check("selfsubjectreviews").check(Buffer.from("{}"), { signal }));
    given(await scope.intoWrite().send(patch, sending));
    expect(tokensSeen(peer)).toEqual(["Bearer t1", "Bearer t2", "Bearer t3"]);
  });

  test("that is captured carries one credential in all that it does", async () => {
    await using peer = await openHostilePeer({ tls: server, script: ok });
    const credential = makeRotatingCredential();
    await using scope = openTestScope(peer.url, { tls: { ca }, credential });
    await using captured = given(await scope.capture({ signal }));
    given(await captured.check("selfsubjectreviews").check(Buffer.from("{}"), { signal }));
    given(await captured.intoWrite().send(patch, sending));
    await captured.intoUpgradeWrite(bounds).upgrade({ ...pods, subprotocols: ["p"] }, sending);
    expect(tokensSeen(peer)).toEqual(["Bearer t1", "Bearer t1", "Bearer t1"]);
    expect(credential.asked()).toBe(1);
    expect(inspect(captured.credential)).toBe("[credential]");
  });

  test("shares its connections with what was captured from it", async () => {
    await using peer = await openHostilePeer({ tls: server, script: ok });
    await using scope = openTestScope(peer.url, { tls: { ca } });
    given(await scope.reader().get(pods, reading()));
    await using captured = given(await scope.capture({ signal }));
    given(await captured.reader().get(pods, reading()));
    expect(peer.handshakeCount()).toBe(1);
  });

  test("gives up a capture with its caller, and when the source fails", async () => {
    const silent: CredentialSource = { resolve: () => new Promise(() => undefined) };
    await using scope = given(opening({ credential: silent }));
    const stop = new AbortController();
    const capturing = scope.capture({ signal: stop.signal });
    stop.abort();
    expect(summary(await capturing)).toBe("interrupted");
    await using quick = given(opening({ credential: silent, limits: { requestMs: 20 } }));
    expect(summary(await quick.capture({ signal }))).toBe("timeout");
  });

  test("presents the certificate that its credential brings, on connections of its own", async () => {
    const tls = { ...server, ca, requestCert: true, rejectUnauthorized: false };
    await using peer = await openHostilePeer({ tls, script: ok });
    const sources = [certificates.client, certificates.otherClient].map(makeTestCredential);
    let turn = 0;
    const credential: CredentialSource = {
      resolve: (stop) => (sources[turn % 2] ?? anonymous).resolve(stop),
    };
    await using scope = openTestScope(peer.url, { tls: { ca }, credential });
    for (turn = 0; turn < 4; turn += 1) given(await scope.reader().get(pods, reading()));
    const connections = peer.requests().map((request) => request.connection);
    expect(peer.handshakeCount()).toBe(2);
    expect(connections[2]).toBe(connections[0]);
    expect(connections[3]).toBe(connections[1]);
  });
});

describe("disposing a scope", () => {
  test("closes its idle connections, with the last of its captures", async () => {
    let gone = 0;
    await using peer = await openHostilePeer({
      tls: server,
      script: async (connection) => {
        await ok(connection);
        gone += 1;
      },
    });
    const scope = openTestScope(peer.url, { tls: { ca } });
    const captured = given(await scope.capture({ signal }));
    given(await captured.reader().get(pods, reading()));
    await scope[Symbol.asyncDispose]();
    given(await captured.reader().get(pods, reading()));
    expect(gone).toBe(0);
    await captured[Symbol.asyncDispose]();
    await until(() => gone === 1);
  });

  test("ends every facet of it, before and after, and may be done twice", async () => {
    await using peer = await openHostilePeer({ tls: server, script: ok });
    const scope = openTestScope(peer.url, { tls: { ca } });
    const reader = scope.reader();
    const write = scope.intoWrite();
    await scope[Symbol.asyncDispose]();
    await scope[Symbol.asyncDispose]();
    expect(summary(await reader.get(pods, reading()))).toBe("unavailable");
    expect(summary(await write.send(patch, sending))).toBe("no unavailable");
    expect(summary(await scope.intoWrite().send(patch, sending))).toBe("no unavailable");
    expect(summary(await scope.capture({ signal }))).toBe("unavailable");
    const upgrade = scope.intoUpgradeWrite(bounds);
    expect(await upgrade.upgrade({ ...pods, subprotocols: ["p"] }, sending)).toMatchObject({
      kind: "notSent",
      failure: { code: "unavailable" },
    });
    expect(peer.connectionCount()).toBe(0);
  });

  test("waits for no request in flight, and ends none", async () => {
    let gone = false;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using peer = await openHostilePeer({
      tls: server,
      async script(connection) {
        await connection.readRequest();
        await released;
        // The request that was read is the first that is answered.
        await ok({ ...connection, readRequest: oneMore(() => connection.readRequest()) });
        gone = true;
      },
    });
    const scope = openTestScope(peer.url, { tls: { ca } });
    const read = scope.reader().get(pods, reading());
    await until(() => peer.requests().length === 1);
    await scope[Symbol.asyncDispose]();
    release();
    expect(given(await read).status).toBe(200);
    await until(() => gone);
  });
});

/** A first request out of thin air, and then those that really come. */
function oneMore<T>(next: () => Promise<T | undefined>): () => Promise<T | undefined> {
  let first = true;
  const invented = { method: "GET", target: "/", headers: [], body: Buffer.alloc(0) };
  return () => {
    if (!first) return next();
    first = false;
    return Promise.resolve({ ...invented, connection: 0 } as T);
  };
}

describe("secrets", () => {
  async function failuresOf(scope: ScopedHttp): Promise<unknown[]> {
    const options = reading({ timeoutMs: 100 });
    const upgraded = scope
      .intoUpgradeWrite({ ...bounds, timeoutMs: 100 })
      .upgrade({ ...pods, subprotocols: ["p"] }, sending);
    const outcome = await upgraded;
    return [
      failureOf(await scope.reader().get(pods, options)),
      failureOf<unknown, SendFailure>(
        await scope.intoWrite().send(patch, { ...sending, timeoutMs: 100 }),
      ),
      // What a peer answers is the peer's own to say.
      outcome.kind === "answered" ? outcome.status : outcome,
    ];
  }

  test("are in no failure and in nothing that can be printed", async () => {
    const answer = `HTTP/1.1 200 OK\r\nx-echo: ${plantedToken}\r\ncontent-length: 9\r\n\r\n${plantedToken}`;
    const scripts = [
      neverAnswers,
      answering(() => ({ status: 200, headers: [["x", "y".repeat(40_000)]], body: plantedToken })),
      async (connection: { write(text: string): Promise<boolean>; hang(): Promise<void> }) => {
        await connection.write(answer.replace("9", "900"));
      },
    ];
    const shown: string[] = [];
    for (const script of scripts) {
      await using peer = await openHostilePeer({ tls: server, script });
      const credential = makeTestCredential(certificates.client);
      await using scope = openTestScope(peer.url, {
        tls: { ca, certificate: certificates.client },
        credential,
      });
      await using captured = given(await scope.capture({ signal }));
      const failures = await failuresOf(scope);
      for (const thing of [scope, captured, scope.reader(), scope.intoWrite(), failures]) {
        shown.push(inspect(thing, { depth: null, showHidden: true }), JSON.stringify(thing));
      }
    }
    const port = await findClosedPort();
    await using nobody = openTestScope(`https://${plantedToken}.invalid:${port}`, { tls: { ca } });
    shown.push(JSON.stringify(await failuresOf(nobody)));
    for (const text of shown) {
      expect(text).not.toContain(plantedToken);
      expect(text).not.toContain("PRIVATE KEY");
    }
  });
});

describe("a write source", () => {
  test("opens as many one-use writes as it is asked for", async () => {
    await using peer = await openHostilePeer({ tls: server, script: ok });
    await using scope = openTestScope(peer.url, { tls: { ca } });
    const source = makeWriteSource(scope);
    for (let n = 0; n < 3; n += 1) {
      const write = given(await source.open());
      given(await write.send(patch, sending));
      expect(summary(await write.send(patch, sending))).toBe("no lifecycle_conflict");
    }
    expect(peer.requests()).toHaveLength(3);
  });
});
