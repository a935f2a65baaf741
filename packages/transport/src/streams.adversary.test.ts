import { describe, expect, test } from "vitest";
import { upgradeFragmentsMax, upgradeMsMax, upgradePingMs } from "@connectors/domain";
import { makeManualAmbient } from "@connectors/sdk/testing";
import type { ScopedHttp, ScopedHttpOptions } from "./scoped-http.js";
import { testCertificates } from "./testing/certificates.js";
import {
  afterRequest,
  decodeClientFrames,
  encodeClose,
  encodeFrame,
  encodeSwitch,
  opcodes,
  openHostilePeer,
  switching,
  type Frame,
  type HostilePeer,
  type PeerConnection,
  type PeerScript,
} from "./testing/index.js";
import { openTestScope } from "./testing/test-scope.js";
import { until } from "./testing/until.js";
import {
  execRequest,
  roomy,
  upgrading,
  accepted,
  told,
  drain,
  toldEnd,
  sends,
  binary,
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

describe("an upgraded stream", () => {
  test("puts split frames together and takes coalesced ones apart", async () => {
    const frames = [binary(10), binary(700), binary(0), binary(300)].map(encodeFrame);
    const bytes = Buffer.concat([...frames, encodeClose()]);
    for (const pieceBytes of [3, 100, bytes.length]) {
      const script = switching(async (connection) => {
        await connection.drip(bytes, pieceBytes, 0);
        connection.finish();
        await connection.hang();
      });
      await withPeer(script, async (scope) => {
        const seen = await drain(await accepted(scope));
        expect(seen).toEqual({ sizes: [10, 700, 0, 300], end: "closed" });
      });
    }
  });

  test("takes frames that arrive with the switch itself", async () => {
    const script = afterRequest(() => Promise.resolve());
    const eager: PeerScript = async (connection) => {
      const seen = await connection.readRequest();
      if (seen === undefined) return script(connection);
      const frame = encodeFrame({ opcode: opcodes.binary, payload: "early" });
      await connection.write(Buffer.concat([encodeSwitch(seen), frame, encodeClose()]));
      connection.finish();
      return connection.hang();
    };
    await withPeer(eager, async (scope) => {
      expect(await drain(await accepted(scope))).toEqual({ sizes: [5], end: "closed" });
    });
  });

  test.each([
    ["a reserved bit", { ...binary(1), reserved: 4 }],
    ["an unknown opcode", { opcode: 3 }],
    ["a masked frame", { ...binary(1), masked: true }],
    ["a continuation of nothing", { opcode: opcodes.continuation }],
    ["a long control frame", { opcode: opcodes.ping, payload: new Uint8Array(126) }],
    ["a fragmented control frame", { opcode: opcodes.ping, fin: false }],
    ["a forbidden closing code", { opcode: opcodes.close, payload: Uint8Array.of(0x03, 0xed) }],
    ["a closing frame of one byte", { opcode: opcodes.close, payload: "x" }],
    ["a text message", { opcode: opcodes.text, payload: "x" }],
    ["text that is not UTF-8", { opcode: opcodes.text, payload: Uint8Array.of(0xff) }],
  ] satisfies [string, Frame][])("with %s is lost", async (_what, frame) => {
    await withPeer(sends(frame), async (scope) => {
      expect(await drain(await accepted(scope))).toEqual({
        sizes: [],
        end: "lost upstream_protocol",
      });
    });
  });

  test("that announces more than its bound is cut before a byte of it is kept", async () => {
    const announcements = [1_048_577, 2 ** 31, 2 ** 40, 2 ** 60];
    for (const announced of announcements) {
      await withPeer(sends({ ...binary(4), announced }), async (scope) => {
        expect(await drain(await accepted(scope))).toEqual({
          sizes: [],
          end: "truncated capacity",
        });
      });
    }
  });

  test("that has too many fragments is cut", async () => {
    const script = switching(async (connection) => {
      const first = encodeFrame({ opcode: opcodes.binary, fin: false });
      const more = encodeFrame({ opcode: opcodes.continuation, fin: false });
      await connection.write(Buffer.concat([first, ...Array(upgradeFragmentsMax).fill(more)]));
      await connection.hang();
    });
    await withPeer(script, async (scope) => {
      expect((await drain(await accepted(scope))).end).toBe("truncated capacity");
    });
  });

  test.each([1000, 1001, 1011, 4000])("that closes with code %i is closed", async (code) => {
    const script = switching(async (connection) => {
      await connection.write(encodeClose(code));
      connection.finish();
      await connection.hang();
    });
    await withPeer(script, async (scope) => {
      expect((await drain(await accepted(scope))).end).toBe("closed");
    });
  });

  test("that says goodbye and stays is closed all the same, and let go", async () => {
    const script = switching(async (connection) => {
      await connection.write(encodeClose());
      await connection.hang();
    });
    await withPeer(script, async (scope) => {
      expect((await drain(await accepted(scope))).end).toBe("closed");
    });
  });

  test("that is reset is lost", async () => {
    const script = switching((connection) => {
      connection.reset();
      return connection.hang();
    });
    await withPeer(script, async (scope) => {
      expect((await drain(await accepted(scope))).end).toBe("lost unavailable");
    });
  });

  test("gives what came before its deadline, which neither pings nor drips put off", async () => {
    const ambient = makeManualAmbient();
    let written = 0;
    const dripping = switching(async (connection) => {
      await connection.write(encodeFrame(binary(3)));
      const drip = Buffer.concat([encodeFrame({ opcode: opcodes.ping }), encodeFrame(binary(1))]);
      while (await connection.write(drip)) {
        written = connection.writtenBytes();
        await new Promise((resolve) => void setTimeout(resolve, 1));
      }
    });
    const run = async (scope: ScopedHttp): Promise<void> => {
      const stream = await accepted(scope);
      expect(await stream.next()).toMatchObject({ message: new Uint8Array(3) });
      for (let passed = 0; passed < roomy.timeoutMs - 1; passed += 1000) {
        const before = written;
        await until(() => written > before);
        ambient.advance(Math.min(1000, roomy.timeoutMs - 1 - passed));
      }
      expect(await stream.next()).toMatchObject({ message: new Uint8Array(1) });
      ambient.advance(1);
      expect((await drain(stream)).end).toBe("deadline timeout");
      expect(ambient.pendingTimers()).toBe(0);
    };
    await withPeer(dripping, run, { ambient });
  });

  test("answers pings, pings a silent peer, and masks what it sends", async () => {
    const ambient = makeManualAmbient();
    let received = Buffer.alloc(0);
    const script = switching(async (connection) => {
      await connection.write(encodeFrame({ opcode: opcodes.ping, payload: "are you there" }));
      for (;;) {
        const bytes = await connection.readBytes();
        if (bytes === undefined) return;
        received = Buffer.concat([received, bytes]);
      }
    });
    const run = async (scope: ScopedHttp): Promise<void> => {
      const stream = await accepted(scope, { ...roomy, timeoutMs: upgradeMsMax });
      const frames = () => decodeClientFrames(received);
      await until(() => frames().length === 1);
      expect(frames()[0]).toMatchObject({ opcode: opcodes.pong, masked: true });
      expect(frames()[0]?.payload.toString()).toBe("are you there");
      // The first period heard a ping; the second one is silent.
      ambient.advance(upgradePingMs);
      ambient.advance(upgradePingMs - 1);
      expect(frames()).toHaveLength(1);
      ambient.advance(1);
      await until(() => frames().length === 2);
      expect(frames()[1]).toMatchObject({ opcode: opcodes.ping, masked: true });
      await stream[Symbol.asyncDispose]();
    };
    await withPeer(script, run, { ambient });
  });

  test("survives a flood of pings that reads no answer", async () => {
    const flood = switching(async (connection: PeerConnection) => {
      const pings = Buffer.concat(
        Array<Buffer>(1000).fill(encodeFrame({ opcode: opcodes.ping, payload: "x".repeat(125) })),
      );
      for (let n = 0; n < 50; n += 1) if (!(await connection.write(pings))) return;
      await connection.write(encodeClose());
      await connection.hang();
    });
    await withPeer(flood, async (scope) => {
      const { end } = await drain(await accepted(scope));
      expect(["closed", "lost unavailable"]).toContain(end);
    });
  });

  test("holds the peer back while nobody asks for a message", async () => {
    let written = 0;
    const endless = switching(async (connection) => {
      const frame = encodeFrame(binary(16_384));
      while (await connection.write(frame)) written = connection.writtenBytes();
    });
    await withPeer(endless, async (scope) => {
      const stream = await accepted(scope, { ...roomy, totalBytesMax: 67_108_864 });
      let before = -1;
      while (before !== written) {
        before = written;
        await new Promise((resolve) => void setTimeout(resolve, 50));
      }
      expect(written).toBeLessThan(16_000_000);
      let read = 0;
      while (read < before + 1_000_000) {
        const next = await stream.next();
        if ("end" in next) throw new Error(toldEnd(next));
        read += next.message.length;
      }
      expect(written).toBeGreaterThan(before);
      await stream[Symbol.asyncDispose]();
    });
  });

  test("that its caller stops is lost", async () => {
    await withPeer(sends(binary(1)), async (scope) => {
      const stop = new AbortController();
      const outcome = await scope
        .intoUpgradeWrite(roomy)
        .upgrade(execRequest, upgrading(stop.signal));
      if (outcome.kind !== "accepted") throw new Error(told(outcome));
      await outcome.stream.next();
      const next = outcome.stream.next();
      stop.abort();
      expect(await next).toMatchObject({ end: "lost", failure: { code: "unavailable" } });
    });
  });

  test("is asked for one message at a time", async () => {
    await withPeer(sends(), async (scope) => {
      const stream = await accepted(scope);
      const first = stream.next();
      await expect(stream.next()).rejects.toThrow("invariant broken");
      await stream[Symbol.asyncDispose]();
      expect(await first).toMatchObject({ end: "lost" });
    });
  });
});
