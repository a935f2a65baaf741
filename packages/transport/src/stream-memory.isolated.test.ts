import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
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

// Memory that is alive is what a full collection leaves; anything else measures V8's patience.
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function aliveBytes(): Promise<number> {
  collect();
  // V8 lets go of what a collection found beside the main thread; the next one waits for that.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const mib = 1_048_576;
const streamBytes = 15 * mib;
const streams = 3;
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

/** Reads a stream to its end; the bytes it carried, and the most that was alive on the way. */
async function consume(stream: MessageStream): Promise<{ bytes: number; peak: number }> {
  let bytes = 0;
  let peak = 0;
  let nextLook = 2 * mib;
  for (;;) {
    const next = await stream.next();
    if ("end" in next) return { bytes, peak };
    bytes += next.message.length;
    if (bytes < nextLook) continue;
    nextLook += 3 * mib;
    peak = Math.max(peak, await aliveBytes());
  }
}

describe("memory", () => {
  test.each([
    // What may be alive beside the start: both ends' buffers, and twice the message being joined.
    ["small", 1024, 4 * mib],
    ["ordinary", 16_384, 4 * mib],
    ["the largest", mib, 8 * mib],
  ])("stays flat over streams of %s messages", async (_what, messageBytes, growthMax) => {
    const { ca, server } = await testCertificates();
    await using peer = await openTalker(messageBytes, server);
    await using scope = openTestScope(peer.url, { tls: { ca } });
    let base = 0;
    for (let n = 0; n < streams; n += 1) {
      const outcome = await scope
        .intoUpgradeWrite(bounds)
        .upgrade(
          { segments: ["exec"], subprotocols: ["v4.channel.k8s.io"] },
          { correlation: "c-1", signal: new AbortController().signal },
        );
      if (outcome.kind !== "accepted") throw new Error(outcome.kind);
      const { bytes, peak } = await consume(outcome.stream);
      expect(bytes).toBe(streamBytes);
      // The first stream warms code and pools up.
      if (n > 0) expect(peak - base).toBeLessThan(growthMax);
      base ||= await aliveBytes();
    }
    // Far less than one stream.
    expect((await aliveBytes()) - base).toBeLessThan(4 * mib);
  });
});
