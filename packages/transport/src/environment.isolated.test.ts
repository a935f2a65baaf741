import { Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { keepAliveMs } from "@connectors/domain";
import { testCertificates } from "./testing/certificates.js";
import { answering, openHostilePeer } from "./testing/index.js";
import { openTestScope, pods, reading, summary } from "./testing/test-scope.js";

const { ca, server, untrusted } = await testCertificates();
const ok = answering(() => ({ status: 200 }));
const patch = {
  ...pods,
  method: "PATCH",
  contentType: "application/json",
  accept: "application/json",
  body: Buffer.from("{}"),
} as const;
const sending = { correlation: "c-1", signal: new AbortController().signal };
const bounds = { messageBytesMax: 10, totalBytesMax: 10, timeoutMs: 20_000 };

async function endsAt(url: string): Promise<string[]> {
  await using scope = openTestScope(url, { tls: { ca } });
  const read = await scope.reader().get(pods, reading());
  const write = await scope.intoWrite().send(patch, sending);
  const upgrade = await scope
    .intoUpgradeWrite(bounds)
    .upgrade({ ...pods, subprotocols: ["p"] }, sending);
  return [
    read.ok ? "answered" : summary(read),
    write.ok ? "answered" : summary(write),
    upgrade.kind,
  ];
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("the environment turns no verification off", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  await using peer = await openHostilePeer({ tls: untrusted, script: ok });
  expect(await endsAt(peer.url)).toEqual([
    "unavailable tls_untrusted",
    "no unavailable tls_untrusted",
    "notSent",
  ]);
  expect(peer.requests()).toEqual([]);
});

test("the environment names no proxy", async () => {
  await using trap = await openHostilePeer({ script: ok });
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    vi.stubEnv(name, trap.url);
    vi.stubEnv(name.toLowerCase(), trap.url);
  }
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  await using peer = await openHostilePeer({ tls: server, script: ok });
  expect(await endsAt(peer.url)).toEqual(["answered", "answered", "answered"]);
  expect(trap.connectionCount()).toBe(0);
});

test("every connection asks the kernel to keep watch over it", async () => {
  const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
  await using peer = await openHostilePeer({ tls: server, script: ok });
  expect(await endsAt(peer.url)).toEqual(["answered", "answered", "answered"]);
  // A read's, a write's and an upgrade's.
  const ours = keepAlive.mock.calls.filter(([on, ms]) => on === true && ms === keepAliveMs);
  expect(ours).toHaveLength(3);
});
