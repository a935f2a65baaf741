import { Client } from "undici";
import { describe, expect, test } from "vitest";
import {
  bodyBytesMax,
  correlationBytesMax,
  requestMsDefault,
  waitMsMax,
  writeKeepAliveMsMax,
} from "@connectors/domain";
import type { SendFailure, WriteRequest } from "@connectors/sdk";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { makeCredentialLines, type CredentialSource } from "./credential.js";
import { startExchange, type AnswerSink } from "./exchange.js";
import type { Lane } from "./lane.js";
import type { ScopedHttp, ScopedHttpOptions } from "./scoped-http.js";
import { testCertificates } from "./testing/certificates.js";
import {
  afterRequest,
  answering,
  chunkedHead,
  cutsBody,
  dripsBody,
  dripsHeaders,
  encodeAnswer,
  findClosedPort,
  finishesUnanswered,
  neverAnswers,
  openHostilePeer,
  resetsUnanswered,
  speaksGarbage,
  type HostilePeer,
  type PeerScript,
} from "./testing/index.js";
import {
  failureOf,
  given,
  makeTestCredential,
  openTestScope,
  pods,
  reading,
  summary,
} from "./testing/test-scope.js";
import { until } from "./testing/until.js";

const { ca, server } = await testCertificates();
const ok = answering(() => ({ status: 200, body: "{}" }));

const patch: WriteRequest = {
  segments: ["apis", "apps", "v1", "namespaces", "web", "deployments", "api"],
  method: "PATCH",
  contentType: "application/strategic-merge-patch+json",
  accept: "application/json",
  body: Buffer.from('{"spec":{}}'),
};

function sending(more: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) {
  return { correlation: "c-1", signal: new AbortController().signal, ...more };
}

async function withPeer<T>(
  script: PeerScript,
  run: (scope: ScopedHttp, peer: HostilePeer) => Promise<T>,
  options: Partial<ScopedHttpOptions> = {},
): Promise<T> {
  await using peer = await openHostilePeer({ tls: server, script });
  await using scope = openTestScope(peer.url, { tls: { ca }, ...options });
  return await run(scope, peer);
}

describe("a write to a hostile peer", () => {
  test.each([
    ["ends its connection", finishesUnanswered, "maybe unavailable connection_lost"],
    ["resets its connection", resetsUnanswered, "maybe unavailable connection_lost"],
    ["speaks no HTTP", speaksGarbage, "maybe unavailable malformed_answer"],
    ["cuts its answer", cutsBody(100, 50, "reset"), "maybe unavailable connection_lost"],
    ["answers too much", cutsBody(bodyBytesMax + 1, 0, "finish"), "maybe capacity"],
    ["never answers", neverAnswers, "maybe timeout"],
    ["drips its headers", dripsHeaders, "maybe timeout"],
    ["drips its body", dripsBody, "maybe timeout"],
  ])("that %s may have been carried out, and is seen once", async (_what, script, expected) => {
    const ambient = makeManualAmbient();
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      const sent = scope.intoWrite().send(patch, sending());
      await until(() => peer.requests().length === 1);
      if (expected.endsWith("timeout")) ambient.advance(requestMsDefault);
      const outcome = await sent;
      expect(summary(outcome)).toBe(expected);
      const { failure } = failureOf<unknown, SendFailure>(outcome);
      expect([failure.effect, failure.retry]).toEqual(["unknown", "after_check"]);
      expect(peer.requests()).toHaveLength(1);
    };
    await withPeer(script, run, { ambient });
  });

  test("that stops listening between two writes is never asked twice", async () => {
    // Answers the first request and then drops the connection that the second may be on.
    const script: PeerScript = async (connection) => {
      if ((await connection.readRequest()) === undefined) return;
      await connection.write(encodeAnswer({ status: 200 }));
      await connection.readRequest();
      connection.reset();
      await connection.hang();
    };
    await withPeer(script, async (scope, peer) => {
      given(await scope.intoWrite().send(patch, sending()));
      const second = await scope.intoWrite().send(patch, sending());
      expect(summary(second)).toBe("maybe unavailable connection_lost");
      expect(peer.requests()).toHaveLength(2);
    });
  });

  test("that is stopped in flight says that it may have been sent", async () => {
    await withPeer(neverAnswers, async (scope, peer) => {
      const stop = new AbortController();
      const sent = scope.intoWrite().send(patch, sending({ signal: stop.signal }));
      await until(() => peer.requests().length === 1);
      stop.abort();
      expect(summary(await sent)).toBe("maybe unavailable");
    });
  });
});

describe("neighbours", () => {
  test("that are aborted in flight make no write leave twice", async () => {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = afterRequest(async (connection) => {
      await released;
      await connection.write(encodeAnswer({ status: 200 }));
      await connection.hang();
    });
    await withPeer(slow, async (scope, peer) => {
      const stops = Array.from({ length: 12 }, () => new AbortController());
      const sends = stops.map(({ signal }, n) =>
        scope.intoWrite().send({ ...patch, segments: [`w${n}`] }, sending({ signal })),
      );
      await until(() => peer.requests().length === 12);
      for (const [n, stop] of stops.entries()) if (n % 2 === 0) stop.abort();
      release?.();
      const outcomes = await Promise.all(sends);
      for (const [n, outcome] of outcomes.entries()) {
        if (n % 2 === 0) expect(summary(outcome)).toBe("maybe unavailable");
        else expect(given(outcome).status).toBe(200);
      }
      const seen = peer.requests().map((request) => request.target);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(12);
    });
  });

  test("that wait for a place and are stopped there never leave", async () => {
    await withPeer(neverAnswers, async (scope, peer) => {
      const hold = new AbortController();
      const wait = new AbortController();
      const running = Array.from({ length: 16 }, () =>
        scope.intoWrite().send(patch, sending({ signal: hold.signal })),
      );
      await until(() => peer.requests().length === 16);
      const waiting = Array.from({ length: 16 }, () =>
        scope.intoWrite().send(patch, sending({ signal: wait.signal })),
      );
      await new Promise((resolve) => setImmediate(resolve));
      wait.abort();
      for (const outcome of await Promise.all(waiting)) {
        expect(summary(outcome)).toBe("no interrupted");
      }
      hold.abort();
      await Promise.all(running);
      expect(peer.requests()).toHaveLength(16);
    });
  });

  test("of another kind are on other connections", async () => {
    await withPeer(ok, async (scope, peer) => {
      given(await scope.reader().get(pods, reading()));
      given(await scope.intoWrite().send(patch, sending()));
      given(await scope.reader().get(pods, reading()));
      const [first, write, second] = peer.requests().map((request) => request.connection);
      expect(second).toBe(first);
      expect(write).not.toBe(first);
    });
  });

  test("cannot make undici start a request a second time unnoticed", async () => {
    // undici sends a pipelined request again when the one before it is aborted.
    const twoAtOnce = afterRequest(async (connection) => {
      await connection.write(chunkedHead);
      await connection.readRequest();
      await connection.hang();
    });
    await using peer = await openHostilePeer({ tls: server, script: twoAtOnce });
    const client = new Client(peer.url, { pipelining: 2, connect: { ca: ca.toString() } });
    const lane: Lane = {
      take(seated) {
        seated({ dispatcher: client, release: () => undefined });
        return () => undefined;
      },
      close: () => undefined,
    };
    const get = { method: "GET", path: "/", headers: [], body: undefined } as const;
    const bugs: Error[] = [];
    const sink: AnswerSink = {
      onHead: () => undefined,
      onData: () => "go",
      onEnd: () => undefined,
      onFailure: () => undefined,
      onBug: (bug) => bugs.push(bug),
    };
    const first = startExchange(lane, get, sink);
    startExchange(lane, get, sink);
    await until(() => peer.requests().length === 2);
    first.stop();
    await until(() => bugs.length === 1);
    expect(bugs[0]?.message).toBe("invariant broken: a request is started once");
    expect(peer.requests()).toHaveLength(2);
    await client.destroy();
  });
});

describe("a write", () => {
  test("keeps its connection for at most two seconds", async () => {
    // A peer that asks for more does not get it.
    const keeping = answering(() => ({ status: 200, headers: [["Keep-Alive", "timeout=60"]] }));
    const gone: number[] = [];
    const script: PeerScript = async (connection) => {
      await keeping(connection);
      gone.push(performance.now());
    };
    await withPeer(script, async (scope) => {
      given(await scope.intoWrite().send(patch, sending()));
      const answeredMs = performance.now();
      await until(() => gone.length === 1);
      expect((gone[0] ?? 0) - answeredMs).toBeLessThan(writeKeepAliveMsMax + 1000);
    });
  });

  test("waits as long as its caller says, by timers of its own", async () => {
    const ambient = makeManualAmbient();
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      const sent = scope.intoWrite().send(patch, sending({ timeoutMs: 20_000 }));
      await until(() => peer.requests().length === 1);
      ambient.advance(19_999);
      const early = await Promise.race([sent, new Promise((resolve) => setImmediate(resolve))]);
      expect(early).toBeUndefined();
      ambient.advance(1);
      expect(summary(await sent)).toBe("maybe timeout");
    };
    await withPeer(neverAnswers, run, { ambient });
  });

  test("leaves no timer behind", async () => {
    const ambient = makeManualAmbient();
    const run = async (scope: ScopedHttp): Promise<void> => {
      given(await scope.intoWrite().send(patch, sending()));
      given(await scope.reader().get(pods, reading()));
      expect(ambient.pendingTimers()).toBe(0);
    };
    await withPeer(ok, run, { ambient });
  });

  test("whose credential never comes is not sent", async () => {
    const silent: CredentialSource = { resolve: () => new Promise(() => undefined) };
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      const outcome = await scope.intoWrite().send(patch, sending({ timeoutMs: 30 }));
      expect(summary(outcome)).toBe("no timeout");
      expect(peer.connectionCount()).toBe(0);
    };
    await withPeer(ok, run, { credential: silent });
  });

  test("resolves its credential once, after its target is known to be sound", async () => {
    let resolved = 0;
    const inner = makeTestCredential();
    const counting: CredentialSource = {
      resolve(signal) {
        resolved += 1;
        return inner.resolve(signal);
      },
    };
    const run = async (scope: ScopedHttp): Promise<void> => {
      await scope.intoWrite().send({ ...patch, segments: [""] }, sending());
      expect(resolved).toBe(0);
      given(await scope.intoWrite().send(patch, sending()));
      expect(resolved).toBe(1);
    };
    await withPeer(ok, run, { credential: counting });
  });

  test("carries its credential's lines in their order", async () => {
    const credential = given(
      makeCredentialLines([
        ["Authorization", "Bearer t"],
        ["Impersonate-User", "zoë"],
        ["Impersonate-Group", "b"],
        ["Impersonate-Group", "a"],
      ]),
    );
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      given(await scope.intoWrite().send(patch, sending()));
      const lines = peer.requests()[0]?.headers.filter(([name]) => /^(auth|imp)/i.test(name));
      expect(lines).toEqual([
        ["Authorization", "Bearer t"],
        ["Impersonate-User", Buffer.from("zoë").toString("latin1")],
        ["Impersonate-Group", "b"],
        ["Impersonate-Group", "a"],
      ]);
    };
    await withPeer(ok, run, {
      credential: { resolve: () => Promise.resolve({ ok: true, value: credential }) },
    });
  });

  test("names its agent, and nothing that asks for another coding", async () => {
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      given(await scope.intoWrite().send(patch, sending()));
      const headers = new Map(peer.requests()[0]?.headers);
      expect(headers.get("user-agent")).toBe("connectors/9 (test)");
      expect([...headers.keys()]).not.toContain("accept-encoding");
      expect([...headers.keys()]).not.toContain("expect");
    };
    await withPeer(ok, run, { userAgent: "connectors/9 (test)" });
  });

  test("refuses options that it cannot send", async () => {
    await withPeer(ok, async (scope, peer) => {
      const send = (request: Partial<WriteRequest>, options: object) =>
        scope.intoWrite().send({ ...patch, ...request }, { ...sending(), ...options });
      const long = "c".repeat(correlationBytesMax + 1);
      for (const correlation of ["", "a b", "a\r\nb", long]) {
        expect(summary(await send({}, { correlation }))).toBe("no invalid_input");
      }
      for (const timeoutMs of [0, waitMsMax + 1]) {
        expect(summary(await send({}, { timeoutMs }))).toBe("no invalid_input");
      }
      for (const answerBytesMax of [0, bodyBytesMax + 1]) {
        expect(summary(await send({}, { answerBytesMax }))).toBe("no invalid_input");
      }
      expect(summary(await send({ contentType: "a\r\nb" }, {}))).toBe("no invalid_input");
      expect(peer.connectionCount()).toBe(0);
      given(await send({}, { correlation: "c".repeat(correlationBytesMax) }));
    });
  });

  test("through a refused connection is proved unsent, again and again", async () => {
    const port = await findClosedPort();
    await using scope = openTestScope(`https://127.0.0.1:${port}`, { tls: { ca } });
    for (let n = 0; n < 20; n += 1) {
      const outcome = await scope.intoWrite().send(patch, sending());
      expect(summary(outcome)).toBe("no unavailable connection_refused");
    }
  });
});
