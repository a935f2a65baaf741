import { describe, expect, test } from "vitest";
import {
  bodyBytesMax,
  headerBytesMax,
  interimAnswersMax,
  readConnectionsMax,
  readRequestsMax,
  scopeBodyBytesMax,
  waitMsMax,
} from "@connectors/domain";
import type { Outcome } from "@connectors/sdk";
import { makeManualAmbient } from "@connectors/sdk/testing";
import type { ScopedHttp, ScopedHttpOptions } from "./scoped-http.js";
import { testCertificates } from "./testing/certificates.js";
import {
  afterRequest,
  answering,
  answersAfterInterim,
  cutsBody,
  dripsBody,
  dripsHeaders,
  endsBodyByConnection,
  finishesUnanswered,
  neverAnswers,
  openHostilePeer,
  resetsUnanswered,
  speaksGarbage,
  stallsInHeaders,
  streamsChunks,
  type HostilePeer,
  type PeerScript,
} from "./testing/index.js";
import { given, openTestScope, pods, reading, summary } from "./testing/test-scope.js";
import { until } from "./testing/until.js";

const { ca, server } = await testCertificates();
const ok = answering(() => ({ status: 200, body: "ok" }));

async function withPeer<T>(
  script: PeerScript,
  run: (scope: ScopedHttp, peer: HostilePeer) => Promise<T>,
  options: Partial<ScopedHttpOptions> = {},
): Promise<T> {
  await using peer = await openHostilePeer({ tls: server, script });
  await using scope = openTestScope(`${peer.url}/base`, { tls: { ca }, ...options });
  return await run(scope, peer);
}

function readFrom(script: PeerScript, timeoutMs = 5000): Promise<Outcome<unknown>> {
  return withPeer(script, (scope) => scope.reader().get(pods, reading({ timeoutMs })));
}

describe("a read from a hostile peer", () => {
  test.each([
    ["ends its connection unanswered", finishesUnanswered, "unavailable connection_lost"],
    ["resets its connection unanswered", resetsUnanswered, "unavailable connection_lost"],
    ["speaks no HTTP", speaksGarbage, "unavailable malformed_answer"],
    ["ends within a body", cutsBody(100, 50, "finish"), "unavailable connection_lost"],
    ["resets within a body", cutsBody(100, 50, "reset"), "unavailable connection_lost"],
    [
      "resets what only its end delimits",
      endsBodyByConnection("half", "reset"),
      "unavailable connection_lost",
    ],
    ["announces a body over its bound", cutsBody(bodyBytesMax + 1, 0, "finish"), "capacity"],
  ])("that %s fails by its kind", async (_what, script, expected) => {
    expect(summary(await readFrom(script))).toBe(expected);
  });

  test.each([
    ["never answers", neverAnswers],
    ["stalls in its headers", stallsInHeaders],
    ["drips its headers", dripsHeaders],
    ["drips its body", dripsBody],
  ])("that %s ends at the deadline", async (_what, script) => {
    expect(summary(await readFrom(script, 80))).toBe("timeout");
  });

  test("whose body only its end delimits is never called whole", async () => {
    const script = endsBodyByConnection("whole?", "finish");
    expect(summary(await readFrom(script))).toBe("unavailable connection_lost");
    await withPeer(script, async (scope) => {
      const prefix = given(await scope.reader().getPrefix(pods, 3, reading()));
      expect(prefix.complete).toBe(false);
    });
  });

  test("may send its bound of interim answers, and not one more", async () => {
    const answer = { status: 200, body: "ok" };
    const most = answersAfterInterim(interimAnswersMax, answer);
    expect(given(await readFrom(most))).toMatchObject({ status: 200 });
    const more = answersAfterInterim(interimAnswersMax + 1, answer);
    expect(summary(await readFrom(more))).toBe("unavailable malformed_answer");
  });

  test("that sends headers without end is cut off at their bound", async () => {
    let written = 0;
    const endless = afterRequest(async (connection) => {
      await connection.write("HTTP/1.1 200 OK\r\n");
      const block = `x-${"a".repeat(50)}: ${"b".repeat(950)}\r\n`;
      while (await connection.write(block)) written = connection.writtenBytes();
    });
    expect(summary(await readFrom(endless))).toBe("capacity");
    // What it could write beyond the bound lies in the buffers of two sockets.
    expect(written).toBeLessThan(headerBytesMax + 8_000_000);
  });

  test("that streams a body without end is cut off at its bound", async () => {
    const endless = afterRequest(async (connection) => {
      await connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
      while (await connection.write(chunk));
    });
    expect(summary(await readFrom(endless))).toBe("capacity");
  });

  test("is left alone with a prefix that is long enough", async () => {
    const endless = afterRequest(async (connection) => {
      await connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      while (await connection.write(`400\r\n${"x".repeat(1024)}\r\n`));
    });
    await withPeer(endless, async (scope) => {
      const prefix = given(await scope.reader().getPrefix(pods, 5000, reading()));
      expect(prefix.body).toHaveLength(5000);
      expect(prefix.complete).toBe(false);
    });
  });
});

describe("reads", () => {
  test("of one scope share one TLS handshake, fifty in a row", async () => {
    await withPeer(ok, async (scope, peer) => {
      const reader = scope.reader();
      for (let n = 0; n < 50; n += 1) given(await reader.get(pods, reading()));
      expect(peer.requests()).toHaveLength(50);
      expect(peer.handshakeCount()).toBe(1);
    });
  });

  test("at once use at most their bound of connections", async () => {
    await withPeer(ok, async (scope, peer) => {
      const reader = scope.reader();
      const all = Array.from({ length: 100 }, () => reader.get(pods, reading()));
      for (const outcome of await Promise.all(all)) given(outcome);
      expect(peer.connectionCount()).toBeLessThanOrEqual(readConnectionsMax);
    });
  });

  test("beyond the bound of those that wait are refused, and their places come free", async () => {
    await withPeer(neverAnswers, async (scope) => {
      const stop = new AbortController();
      const reader = scope.reader();
      const options = reading({ signal: stop.signal });
      const all = Array.from({ length: readRequestsMax }, () => reader.get(pods, options));
      await until(() => all.length === readRequestsMax);
      expect(summary(await reader.get(pods, reading()))).toBe("capacity");
      stop.abort();
      for (const outcome of await Promise.all(all)) expect(summary(outcome)).toBe("interrupted");
    });
  });

  test("are not starved by streams, and streams not by reads", async () => {
    const script = answering(() => ({ status: 200 }));
    const mixed: PeerScript = async (connection) => {
      const request = await connection.readRequest();
      if (request === undefined) return;
      if (!request.target.includes("watch")) {
        await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        await script(connection);
        return;
      }
      await connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      await connection.hang();
    };
    await withPeer(mixed, async (scope) => {
      const reader = scope.reader();
      const watch = { ...pods, query: [["watch", "1"]] as const };
      const options = { ...reading(), idleMs: 10_000 };
      const opened = Array.from({ length: readConnectionsMax * 2 }, () =>
        reader.getStream(watch, options),
      );
      const streams = (await Promise.all(opened)).map((outcome) => given(outcome));
      expect(given(await reader.get(pods, reading())).status).toBe(200);
      for (const stream of streams) await stream[Symbol.asyncDispose]();
    });
  });

  test("wait as long as their caller says, by timers of their own", async () => {
    const ambient = makeManualAmbient();
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      for (const [timeoutMs, waits] of [
        [undefined, 15_000],
        [60_000, 60_000],
      ] as const) {
        const before = peer.requests().length;
        const options = timeoutMs === undefined ? reading() : reading({ timeoutMs });
        let done = false;
        const read = scope
          .reader()
          .get(pods, options)
          .finally(() => (done = true));
        await until(() => peer.requests().length === before + 1);
        ambient.advance(waits - 1);
        await new Promise((resolve) => setImmediate(resolve));
        expect(done).toBe(false);
        ambient.advance(1);
        expect(summary(await read)).toBe("timeout");
      }
    };
    await withPeer(neverAnswers, run, { ambient });
  });

  test("refuse limits that are out of range", async () => {
    await withPeer(ok, async (scope, peer) => {
      const reader = scope.reader();
      for (const timeoutMs of [0, -1, 1.5, waitMsMax + 1]) {
        expect(summary(await reader.get(pods, reading({ timeoutMs })))).toBe("invalid_input");
      }
      for (const idleMs of [0, waitMsMax + 1]) {
        const outcome = await reader.getStream(pods, { ...reading(), idleMs });
        expect(summary(outcome)).toBe("invalid_input");
      }
      for (const limit of [0, bodyBytesMax + 1]) {
        expect(summary(await reader.getPrefix(pods, limit, reading()))).toBe("invalid_input");
      }
      expect(summary(await reader.get(pods, reading({ bodyBytesMax: 0 })))).toBe("invalid_input");
      expect(summary(await reader.get(pods, reading({ accept: "a\r\nb" })))).toBe("invalid_input");
      expect(peer.requests()).toEqual([]);
    });
  });

  test("take more than the usual body only where scope and caller both say so", async () => {
    const large = answering(() => ({ status: 200, body: new Uint8Array(bodyBytesMax + 1) }));
    await withPeer(large, async (scope) => {
      const asked = reading({ bodyBytesMax: scopeBodyBytesMax });
      expect(summary(await scope.reader().get(pods, asked))).toBe("capacity");
    });
    const run = async (scope: ScopedHttp): Promise<void> => {
      expect(summary(await scope.reader().get(pods, reading()))).toBe("capacity");
      const asked = reading({ bodyBytesMax: bodyBytesMax + 1 });
      expect(given(await scope.reader().get(pods, asked)).body).toHaveLength(bodyBytesMax + 1);
    };
    await withPeer(large, run, { limits: { bodyBytesMax: scopeBodyBytesMax } });
  });
});

describe("a streamed read", () => {
  test("holds the peer back while nobody asks for more", async () => {
    let written = 0;
    const endless = afterRequest(async (connection) => {
      await connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
      while (await connection.write(chunk)) written = connection.writtenBytes();
    });
    await withPeer(endless, async (scope) => {
      const options = { ...reading(), idleMs: 10_000 };
      const stream = given(await scope.reader().getStream(pods, options));
      let before = -1;
      // It stands still once the buffers between the two are full.
      while (before !== written) {
        before = written;
        await new Promise((resolve) => void setTimeout(resolve, 50));
      }
      expect(written).toBeLessThan(16_000_000);
      const target = written + 1_000_000;
      for (let read = 0; read < target;) {
        const piece = given(await stream.next());
        if (piece === "end") throw new Error("it has no end");
        read += piece.length;
      }
      expect(written).toBeGreaterThan(before);
      await stream[Symbol.asyncDispose]();
    });
  });

  test("counts silence only while a piece is wanted, by timers of its own", async () => {
    const ambient = makeManualAmbient();
    const script = streamsChunks(["x".repeat(70_000)], "silence");
    const run = async (scope: ScopedHttp): Promise<void> => {
      const options = { ...reading(), idleMs: 1000 };
      const stream = given(await scope.reader().getStream(pods, options));
      let read = 0;
      while (read < 70_000) {
        const piece = given(await stream.next());
        read += piece === "end" ? 0 : piece.length;
      }
      const next = stream.next();
      ambient.advance(999);
      ambient.advance(1);
      expect(summary(await next)).toBe("timeout");
    };
    await withPeer(script, run, { ambient });
  });
});
