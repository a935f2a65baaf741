import assert from "node:assert/strict";
import { refusalBodyBytesMax } from "@connectors/domain";
import type { MessageStream, UpgradeBounds, UpgradeOutcome } from "../http.js";
import type { ContractCase } from "./contract-case.js";
import type { FrameAct, HttpHarness, HttpScene, PeerAct, SwitchFault } from "./http-harness.js";
import {
  checkFailure,
  encodeText,
  sceneCase,
  seen,
  sending,
  upgradeFailsAs,
} from "./scene-checks.js";

const protocol = "v4.channel.k8s.io";
const target = { segments: ["exec"], query: [["command", "true"]] as const };
const roomy: UpgradeBounds = { messageBytesMax: 1000, totalBytesMax: 2000, timeoutMs: 10_000 };

function upgrade(
  scene: HttpScene,
  bounds: UpgradeBounds = roomy,
  subprotocols: readonly string[] = [protocol],
): Promise<UpgradeOutcome> {
  return scene.upgrade(bounds).upgrade({ ...target, subprotocols }, sending());
}

async function accept(scene: HttpScene, bounds: UpgradeBounds = roomy): Promise<MessageStream> {
  const outcome = await upgrade(scene, bounds);
  assert.ok(outcome.kind === "accepted", `expected accepted, got ${outcome.kind}`);
  return outcome.stream;
}

function switched(...frames: FrameAct[]): [PeerAct] {
  return [{ act: "switch", protocol, frames }];
}

function message(bytes: number): FrameAct {
  return { send: "message", payload: new Uint8Array(bytes).fill(7) };
}

async function receive(stream: MessageStream): Promise<Uint8Array> {
  const next = await stream.next();
  assert.ok("message" in next, `expected a message, got ${JSON.stringify(next)}`);
  return next.message;
}

async function endsAs(
  scene: HttpScene,
  stream: MessageStream,
  end: "lost" | "truncated" | "deadline",
  code: "unavailable" | "upstream_protocol" | "capacity" | "timeout",
): Promise<void> {
  for (let again = 0; again < 2; again += 1) {
    const next = await stream.next();
    assert.ok("end" in next && next.end === end, `expected ${end}, got ${JSON.stringify(next)}`);
    checkFailure(scene, next.failure, code);
  }
}

const faults: readonly SwitchFault[] = [
  "no_upgrade_header",
  "wrong_accept_key",
  "no_subprotocol",
  "unoffered_subprotocol",
  "doubled_subprotocol",
];

/** What every `AuthenticatedUpgrade` and its `MessageStream` promise. */
export const httpUpgradeContract: readonly ContractCase<HttpHarness>[] = [
  sceneCase(
    "an accepted stream names its protocol and gives whole messages, then its end for ever",
    switched(message(3), message(1000), { send: "close" }),
    async (scene) => {
      const stream = await accept(scene);
      assert.equal(stream.protocol, protocol);
      assert.deepEqual(Buffer.from(await receive(stream)), Buffer.from([7, 7, 7]));
      assert.equal((await receive(stream)).length, 1000);
      assert.deepEqual(await stream.next(), { end: "closed" });
      assert.deepEqual(await stream.next(), { end: "closed" });
    },
  ),
  sceneCase(
    "the handshake is a scoped request with the caller's correlation",
    switched({ send: "close" }),
    async (scene) => {
      await (await accept(scene))[Symbol.asyncDispose]();
      const [request] = scene.observed();
      assert.equal(request?.method, "GET");
      assert.equal(request?.target, `${scene.basePath}exec?command=true`);
      assert.equal(request?.headers.get("audit-id"), sending().correlation);
      assert.equal(request?.headers.get("sec-websocket-protocol"), protocol);
    },
  ),
  sceneCase(
    "fragments and pings between them are one message",
    switched(
      { send: "fragments", payloads: ["a", "bc", "", "d"].map(encodeText) },
      { send: "ping" },
      { send: "close" },
    ),
    async (scene) => {
      const stream = await accept(scene);
      assert.deepEqual(Buffer.from(await receive(stream)), Buffer.from("abcd"));
      assert.deepEqual(await stream.next(), { end: "closed" });
    },
  ),
  sceneCase("a message of no bytes is a message", switched(message(0)), async (scene) => {
    const stream = await accept(scene);
    assert.equal((await receive(stream)).length, 0);
    await stream[Symbol.asyncDispose]();
  }),
  sceneCase(
    "a text message loses the stream",
    switched(message(1), { send: "text", text: "no" }),
    async (scene) => {
      const stream = await accept(scene);
      await receive(stream);
      await endsAs(scene, stream, "lost", "upstream_protocol");
    },
  ),
  sceneCase("a bad frame loses the stream", switched({ send: "bad_frame" }), async (scene) =>
    endsAs(scene, await accept(scene), "lost", "upstream_protocol"),
  ),
  sceneCase(
    "an end without a closing frame is a loss",
    switched(message(1), { send: "loss" }),
    async (scene) => {
      const stream = await accept(scene);
      await receive(stream);
      await endsAs(scene, stream, "lost", "unavailable");
    },
  ),
  sceneCase("a message over its bound truncates", switched(message(1001)), async (scene) =>
    endsAs(scene, await accept(scene), "truncated", "capacity"),
  ),
  sceneCase(
    "fragments that are over the bound of a message together truncate",
    switched({ send: "fragments", payloads: [new Uint8Array(600), new Uint8Array(401)] }),
    async (scene) => endsAs(scene, await accept(scene), "truncated", "capacity"),
  ),
  sceneCase(
    "a stream may carry its bound of bytes, and the message that crosses it is kept back",
    switched(message(1000), message(1000), message(1)),
    async (scene) => {
      const stream = await accept(scene);
      await receive(stream);
      assert.equal((await receive(stream)).length, 1000);
      await endsAs(scene, stream, "truncated", "capacity");
    },
  ),
  sceneCase("the deadline ends a stream", switched(message(1)), async (scene) => {
    const stream = await accept(scene);
    await receive(stream);
    scene.elapse(roomy.timeoutMs);
    await endsAs(scene, stream, "deadline", "timeout");
  }),
  sceneCase("disposing a stream ends it, and may be done twice", switched(), async (scene) => {
    const stream = await accept(scene);
    await stream[Symbol.asyncDispose]();
    await stream[Symbol.asyncDispose]();
    await endsAs(scene, stream, "lost", "unavailable");
  }),
  sceneCase(
    "an ordinary answer is given with its body",
    [{ act: "answer", status: 403, headers: [["X-Why", "rbac"]], body: encodeText("denied") }],
    async (scene) => {
      const outcome = await upgrade(scene);
      assert.ok(outcome.kind === "answered", `expected answered, got ${outcome.kind}`);
      assert.equal(outcome.status, 403);
      assert.equal(outcome.headers.get("x-why"), "rbac");
      assert.deepEqual(Buffer.from(outcome.bodyPrefix), Buffer.from("denied"));
    },
  ),
  sceneCase(
    "the body of an ordinary answer is kept up to its bound",
    [{ act: "answer", status: 500, body: new Uint8Array(refusalBodyBytesMax + 1) }],
    async (scene) => {
      const outcome = await upgrade(scene);
      assert.ok(outcome.kind === "answered", `expected answered, got ${outcome.kind}`);
      assert.equal(outcome.bodyPrefix.length, refusalBodyBytesMax);
    },
  ),
  sceneCase(
    "a redirect is answered and not followed",
    [{ act: "answer", status: 301, headers: [["Location", "/elsewhere"]] }],
    async (scene) => {
      const outcome = await upgrade(scene);
      assert.ok(outcome.kind === "answered" && outcome.status === 301, outcome.kind);
      assert.equal(scene.observed().length, 1);
    },
  ),
  ...faults.map((fault) =>
    sceneCase(
      `a switch with ${fault.replaceAll("_", " ")} is lost`,
      [{ act: "wrong_switch", fault }],
      async (scene) => upgradeFailsAs(scene, await upgrade(scene), "lost", "upstream_protocol"),
    ),
  ),
  sceneCase(
    "a handshake without an answer is lost to the deadline",
    [{ act: "silence" }],
    async (scene) => {
      const upgrading = upgrade(scene);
      await seen(scene);
      scene.elapse(roomy.timeoutMs);
      upgradeFailsAs(scene, await upgrading, "lost", "timeout");
    },
  ),
  sceneCase("a handshake whose connection is lost is lost", [{ act: "lose" }], async (scene) =>
    upgradeFailsAs(scene, await upgrade(scene), "lost", "unavailable"),
  ),
  sceneCase("an offer that is no list of tokens is not sent", switched(), async (scene) => {
    for (const offer of [[], [""], ["a b"], ["a,b"], ["a\r\nb"], ["a", "a"]]) {
      upgradeFailsAs(scene, await upgrade(scene, roomy, offer), "notSent", "invalid_input");
    }
    assert.equal(scene.observed().length, 0);
  }),
  sceneCase("a bad segment is not sent", switched(), async (scene) => {
    const request = { segments: [".."], subprotocols: [protocol] };
    const outcome = await scene.upgrade(roomy).upgrade(request, sending());
    upgradeFailsAs(scene, outcome, "notSent", "invalid_input");
    assert.equal(scene.observed().length, 0);
  }),
  sceneCase("bounds out of range are not sent", switched(), async (scene) => {
    const bounds = { ...roomy, messageBytesMax: roomy.totalBytesMax + 1 };
    upgradeFailsAs(scene, await upgrade(scene, bounds), "notSent", "invalid_input");
  }),
  sceneCase("an upgrade is good for one try, even at once", switched(), async (scene) => {
    const once = scene.upgrade(roomy);
    const request = { ...target, subprotocols: [protocol] };
    const [first, second] = await Promise.all([
      once.upgrade(request, sending()),
      once.upgrade(request, sending()),
    ]);
    assert.equal(first.kind, "accepted");
    upgradeFailsAs(scene, second, "notSent", "lifecycle_conflict");
    assert.equal(scene.observed().length, 1);
  }),
  sceneCase("a peer that cannot be reached is not sent to", "unreachable", async (scene) =>
    upgradeFailsAs(scene, await upgrade(scene), "notSent", "unavailable"),
  ),
  sceneCase("a caller that stopped before sends nothing", switched(), async (scene) => {
    const options = sending({ signal: AbortSignal.abort() });
    const request = { ...target, subprotocols: [protocol] };
    const outcome = await scene.upgrade(roomy).upgrade(request, options);
    upgradeFailsAs(scene, outcome, "notSent", "interrupted");
    assert.equal(scene.observed().length, 0);
  }),
];
