import { describe, expect, test } from "vitest";
import type { MessageStream } from "@connectors/sdk";
import { testCertificates } from "./testing/certificates.js";
import {
  encodeClose,
  encodeFrame,
  opcodes,
  openHostilePeer,
  switching,
  type HostilePeer,
} from "./testing/index.js";
import { openTestScope } from "./testing/test-scope.js";

const mib = 1_048_576;
const streamBytes = 15 * mib;
// What leaks every stream would pass this bound several times over.
const streams = 12;
const peakMax = 100 * mib;
const bounds = { messageBytesMax: mib, totalBytesMax: 17 * mib, timeoutMs: 60_000 };

function openTalker(
  messageBytes: number,
  tls: { cert: Buffer; key: Buffer },
): Promise<HostilePeer> {
  const frame = encodeFrame({ opcode: opcodes.binary, payload: new Uint8Array(messageBytes) });
  const together = Math.max(1, 65_536 / messageBytes);
  const frames = Buffer.concat(Array<Buffer>(together).fill(frame));
  return openHostilePeer({
    tls,
    script: switching(async (connection) => {
      for (let sent = 0; sent < streamBytes; sent += together * messageBytes) {
        if (!(await connection.write(frames))) return;
      }
      await connection.write(encodeClose());
      connection.finish();
      await connection.hang();
    }),
  });
}

/** Reads a stream to its end; the bytes it carried, and the most memory seen on the way. */
async function consume(stream: MessageStream): Promise<{ bytes: number; peak: number }> {
  let bytes = 0;
  let peak = 0;
  for (let n = 0; ; n += 1) {
    const next = await stream.next();
    if ("end" in next) return { bytes, peak };
    bytes += next.message.length;
    if (n % 16 === 0) {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      peak = Math.max(peak, heapUsed + arrayBuffers);
    }
  }
}

describe("memory", () => {
  test.each([
    ["small", 1024],
    ["ordinary", 16_384],
    ["the largest", mib],
  ])("stays flat over streams of %s messages, one after another", async (_what, messageBytes) => {
    const { ca, server } = await testCertificates();
    await using peer = await openTalker(messageBytes, server);
    await using scope = openTestScope(peer.url, { tls: { ca } });
    for (let n = 0; n < streams; n += 1) {
      const outcome = await scope.intoUpgradeWrite(bounds).upgrade(
        { segments: ["exec"], subprotocols: ["v4.channel.k8s.io"] },
        {
          correlation: "c-1",
          signal: new AbortController().signal,
        },
      );
      if (outcome.kind !== "accepted") throw new Error(outcome.kind);
      const { bytes, peak } = await consume(outcome.stream);
      expect(bytes).toBe(streamBytes);
      expect(peak).toBeLessThan(peakMax);
    }
  });
});
