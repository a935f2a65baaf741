import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { headerBytesMax, headerCountMax, subprotocolsMax } from "@connectors/domain";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { startDeadline } from "./deadline.js";
import { shakeHands } from "./handshake.js";
import type { ScopedHttp, ScopedHttpOptions } from "./scoped-http.js";
import { testCertificates } from "./testing/certificates.js";
import {
  afterRequest,
  dripsHeaders,
  encodeAnswer,
  findClosedPort,
  finishesUnanswered,
  headerOf,
  neverAnswers,
  openHostilePeer,
  resetsUnanswered,
  speaksGarbage,
  stallsInHeaders,
  switching,
  type HostilePeer,
  type PeerScript,
} from "./testing/index.js";
import { openTestScope } from "./testing/test-scope.js";
import { until } from "./testing/until.js";
import {
  protocol,
  execRequest,
  roomy,
  upgrading,
  upgrade,
  accepted,
  told,
} from "./testing/upgrade-scene.js";

const { ca, server } = await testCertificates();

async function withPeer<T>(
  script: PeerScript,
  run: (scope: ScopedHttp, peer: HostilePeer) => Promise<T>,
  more: Partial<ScopedHttpOptions> = {},
): Promise<T> {
  await using peer = await openHostilePeer({ tls: server, script });
  await using scope = openTestScope(peer.url, { tls: { ca }, ...more });
  return await run(scope, peer);
}

describe("a handshake with a hostile peer", () => {
  test.each([
    ["ends its connection", finishesUnanswered, "lost unavailable connection_lost"],
    ["resets its connection", resetsUnanswered, "lost unavailable connection_lost"],
    ["speaks no HTTP", speaksGarbage, "lost upstream_protocol malformed_answer"],
  ])("that %s is lost", async (_what, script, expected) => {
    await withPeer(script, async (scope, peer) => {
      expect(told(await upgrade(scope))).toBe(expected);
      expect(peer.requests()).toHaveLength(1);
    });
  });

  test.each([
    ["never answers", neverAnswers],
    ["stalls in its headers", stallsInHeaders],
    ["drips its headers", dripsHeaders],
  ])("that %s is lost to the deadline", async (_what, script) => {
    const ambient = makeManualAmbient();
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      const ending = upgrade(scope);
      await until(() => peer.requests().length === 1);
      ambient.advance(roomy.timeoutMs);
      expect(told(await ending)).toBe("lost timeout");
    };
    await withPeer(script, run, { ambient });
  });

  test("ends by a timer of ours, at its time", async () => {
    const ambient = makeManualAmbient();
    const run = async (scope: ScopedHttp, peer: HostilePeer): Promise<void> => {
      const ending = upgrade(scope);
      await until(() => peer.requests().length === 1);
      ambient.advance(roomy.timeoutMs - 1);
      const early = await Promise.race([ending, new Promise((r) => setImmediate(r))]);
      expect(early).toBeUndefined();
      ambient.advance(1);
      expect(told(await ending)).toBe("lost timeout");
      expect(ambient.pendingTimers()).toBe(0);
    };
    await withPeer(neverAnswers, run, { ambient });
  });

  test("that is stopped by its caller is lost", async () => {
    await withPeer(neverAnswers, async (scope, peer) => {
      const stop = new AbortController();
      const ending = scope.intoUpgradeWrite(roomy).upgrade(execRequest, upgrading(stop.signal));
      await until(() => peer.requests().length === 1);
      stop.abort();
      expect(told(await ending)).toBe("lost unavailable");
    });
  });

  test("may carry its bound of headers, and not one more", async () => {
    const withHeaders = (count: number): PeerScript =>
      switching((connection) => connection.hang(), {
        headers: Array.from({ length: count - 4 }, (_, n) => [`x-${n}`, "1"] as const),
      });
    await withPeer(withHeaders(headerCountMax), async (scope) => {
      await (await accepted(scope))[Symbol.asyncDispose]();
    });
    await withPeer(withHeaders(headerCountMax + 1), async (scope) => {
      expect(told(await upgrade(scope))).toBe("lost capacity");
    });
    const large = switching((connection) => connection.hang(), {
      headers: [["x-large", "v".repeat(headerBytesMax)]],
    });
    await withPeer(large, async (scope) => {
      expect(told(await upgrade(scope))).toBe("lost capacity");
    });
  });

  test("that answers with too many headers is lost", async () => {
    const headers = Array.from({ length: headerCountMax + 1 }, (_, n) => [`x-${n}`, "1"] as const);
    const script = afterRequest(async (connection) => {
      await connection.write(encodeAnswer({ status: 403, headers }));
      await connection.hang();
    });
    await withPeer(script, async (scope) =>
      expect(told(await upgrade(scope))).toBe("lost capacity"),
    );
  });

  test("that switches to an extension nobody asked for is lost", async () => {
    const script = switching((connection) => connection.hang(), {
      headers: [["Sec-WebSocket-Extensions", "permessage-deflate"]],
    });
    await withPeer(script, async (scope) => {
      expect(told(await upgrade(scope))).toBe("lost upstream_protocol");
    });
  });

  test("asks for no extension, and offers its subprotocols in order", async () => {
    await withPeer(neverAnswers, async (scope, peer) => {
      const offer = Array.from({ length: subprotocolsMax }, (_, n) => `p${n}`);
      const stop = new AbortController();
      const ending = scope
        .intoUpgradeWrite(roomy)
        .upgrade({ segments: ["x"], subprotocols: offer }, upgrading(stop.signal));
      await until(() => peer.requests().length === 1);
      stop.abort();
      await ending;
      const [seen] = peer.requests();
      if (seen === undefined) throw new Error("nothing was seen");
      expect(headerOf(seen, "sec-websocket-protocol")).toBe(offer.join(","));
      expect(headerOf(seen, "sec-websocket-extensions")).toBeUndefined();
      expect(headerOf(seen, "sec-websocket-version")).toBe("13");
      expect(headerOf(seen, "audit-id")).toBe("c-1");
      const over = { segments: ["x"], subprotocols: [...offer, "more"] };
      expect(told(await scope.intoUpgradeWrite(roomy).upgrade(over, upgrading()))).toBe(
        "notSent invalid_input",
      );
    });
  });

  test("whose answer breaks off after its status is still that answer", async () => {
    const script = afterRequest(async (connection) => {
      await connection.write("HTTP/1.1 403 No\r\ncontent-length: 100\r\n\r\npartly");
      connection.finish();
      await connection.hang();
    });
    await withPeer(script, async (scope) => {
      const outcome = await upgrade(scope);
      expect(outcome).toMatchObject({ kind: "answered", status: 403 });
      if (outcome.kind === "answered") {
        expect(Buffer.from(outcome.bodyPrefix).toString()).toBe("partly");
      }
    });
  });

  test("whose answer drips is that answer at the deadline", async () => {
    const ambient = makeManualAmbient();
    let dripped = 0;
    const script = afterRequest(async (connection) => {
      await connection.write("HTTP/1.1 403 No\r\ncontent-length: 100000\r\n\r\n");
      while (await connection.write("x")) {
        dripped += 1;
        await new Promise((resolve) => void setTimeout(resolve, 1));
      }
    });
    const run = async (scope: ScopedHttp): Promise<void> => {
      const ending = upgrade(scope);
      // Both ends share this process, so what was dripped a while ago has been read.
      await until(() => dripped > 20);
      ambient.advance(roomy.timeoutMs);
      expect(told(await ending)).toBe("answered 403");
    };
    await withPeer(script, run, { ambient });
  });

  test("on a socket that is closed, or closes before a byte, is known to be unsent", async () => {
    await using peer = await openHostilePeer({ script: neverAnswers });
    const timers = makeManualAmbient().timers;
    for (const when of ["long before", "before", "after"] as const) {
      const socket = connect(peer.port, "127.0.0.1");
      await new Promise((resolve) => void socket.once("connect", resolve));
      if (when !== "after") socket.destroy();
      if (when === "long before")
        await new Promise((resolve) => void socket.once("close", resolve));
      const { signal } = upgrading();
      const shaking = shakeHands(
        {
          socket,
          url: `ws://127.0.0.1:${peer.port}/exec`,
          subprotocols: [protocol],
          headers: [],
          bounds: roomy,
          deadline: startDeadline({ timers, signal, timeoutMs: 1000 }),
        },
        () => {
          throw new Error("nothing was switched");
        },
      );
      if (when === "after") socket.destroy();
      expect(await shaking).toMatchObject({ kind: "failed", failure: { code: "unavailable" } });
      expect(socket.bytesWritten).toBe(0);
    }
    expect(peer.requests()).toEqual([]);
  });

  test("with nobody is not sent", async () => {
    const url = `https://127.0.0.1:${await findClosedPort()}`;
    await using scope = openTestScope(url, { tls: { ca } });
    expect(told(await upgrade(scope))).toBe("notSent unavailable connection_refused");
  });
});
