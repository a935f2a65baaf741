import assert from "node:assert/strict";
import { bodyBytesMax, headerBytesMax, headerCountMax, segmentsMax } from "@connectors/domain";
import type { HttpHarness, HttpScene, PeerAct } from "./http-harness.js";
import type { ContractCase } from "./contract-case.js";
import {
  decodeText,
  encodeText,
  failsAs,
  patiently,
  patientMs,
  sceneCase,
  seen,
  valueOf,
} from "./scene-checks.js";

const target = { segments: ["api", "v1", "pods"] };
const plain: PeerAct = { act: "answer", status: 200, body: encodeText("{}") };

function sized(bytes: number): PeerAct {
  return { act: "answer", status: 200, body: new Uint8Array(bytes).fill(0x78) };
}

function withHeaders(count: number): PeerAct {
  // A peer adds the body's length by itself.
  const headers = Array.from({ length: count - 1 }, (_, n) => [`x-${n}`, "1"] as const);
  return { act: "answer", status: 200, headers };
}

async function targetSeen(scene: HttpScene, segments: readonly string[]): Promise<string> {
  valueOf(await scene.reader.get({ segments }, patiently()));
  return scene.observed().at(-1)?.target ?? "";
}

/** What every `AuthenticatedHttp` promises of `get` and `getPrefix`. */
export const httpReaderContract: readonly ContractCase<HttpHarness>[] = [
  sceneCase(
    "an answer carries its status, its headers in lower case and its whole body",
    [{ act: "answer", status: 418, headers: [["X-Kind", "Tea"]], body: encodeText("short") }],
    async (scene) => {
      const answer = valueOf(await scene.reader.get(target, patiently()));
      assert.equal(answer.status, 418);
      assert.equal(answer.headers.get("x-kind"), "Tea");
      assert.equal(decodeText(answer.body), "short");
    },
  ),
  sceneCase("a read asks for its media type below the base path", [plain], async (scene) => {
    valueOf(await scene.reader.get(target, patiently({ accept: "application/yaml" })));
    const [request] = scene.observed();
    assert.equal(request?.method, "GET");
    assert.equal(request?.target, `${scene.basePath}api/v1/pods`);
    assert.equal(request?.headers.get("accept"), "application/yaml");
  }),
  sceneCase(
    "a redirect is an answer and is not followed",
    [{ act: "answer", status: 302, headers: [["Location", "/elsewhere"]] }],
    async (scene) => {
      const answer = valueOf(await scene.reader.get(target, patiently()));
      assert.equal(answer.status, 302);
      assert.equal(scene.observed().length, 1);
    },
  ),
  sceneCase("a segment stays one segment whatever is in it", [plain], async (scene) => {
    const arrived = await targetSeen(scene, ["a/b", "c?d", "e#f", "%2e%2e", "g h", "ü", "..."]);
    assert.equal(arrived, `${scene.basePath}a%2Fb/c%3Fd/e%23f/%252e%252e/g%20h/%C3%BC/...`);
  }),
  sceneCase(
    "an empty or a dot segment is refused before anything is sent",
    [plain],
    async (scene) => {
      for (const segment of ["", ".", ".."]) {
        const outcome = await scene.reader.get({ segments: ["api", segment] }, patiently());
        failsAs(scene, outcome, "invalid_input");
      }
      assert.equal(scene.observed().length, 0);
    },
  ),
  sceneCase("a target has at most its bound of segments", [plain], async (scene) => {
    const most = Array.from({ length: segmentsMax }, () => "a");
    valueOf(await scene.reader.get({ segments: most }, patiently()));
    const outcome = await scene.reader.get({ segments: [...most, "a"] }, patiently());
    failsAs(scene, outcome, "capacity");
    assert.equal(scene.observed().length, 1);
  }),
  sceneCase("query pairs keep their order, and repeated names stay", [plain], async (scene) => {
    const query = [
      ["command", "sh"],
      ["container", "a&b=c"],
      ["command", "+ é"],
      ["empty", ""],
    ] as const;
    valueOf(await scene.reader.get({ ...target, query }, patiently()));
    const [, arrived] = (scene.observed()[0]?.target ?? "").split("?");
    assert.equal(arrived, "command=sh&container=a%26b%3Dc&command=%2B%20%C3%A9&empty=");
  }),
  sceneCase("a body at its bound is whole", [sized(1000)], async (scene) => {
    const answer = valueOf(await scene.reader.get(target, patiently({ bodyBytesMax: 1000 })));
    assert.equal(answer.body.length, 1000);
  }),
  sceneCase("a body one byte over its bound is refused", [sized(1001)], async (scene) => {
    const outcome = await scene.reader.get(target, patiently({ bodyBytesMax: 1000 }));
    failsAs(scene, outcome, "capacity");
  }),
  sceneCase("a body has at most the bound of the model", [sized(bodyBytesMax)], async (scene) => {
    const answer = valueOf(await scene.reader.get(target, patiently()));
    assert.equal(answer.body.length, bodyBytesMax);
  }),
  sceneCase(
    "a body over the bound of the model is refused",
    [sized(bodyBytesMax + 1)],
    async (scene) => failsAs(scene, await scene.reader.get(target, patiently()), "capacity"),
  ),
  sceneCase(
    "an answer may have its bound of headers",
    [withHeaders(headerCountMax)],
    async (scene) => {
      assert.equal(
        valueOf(await scene.reader.get(target, patiently())).headers.size,
        headerCountMax,
      );
    },
  ),
  sceneCase(
    "an answer with one header too many is refused",
    [withHeaders(headerCountMax + 1)],
    async (scene) => failsAs(scene, await scene.reader.get(target, patiently()), "capacity"),
  ),
  sceneCase(
    "an answer whose headers are too large is refused",
    [{ act: "answer", status: 200, headers: [["x-large", "x".repeat(headerBytesMax)]] }],
    async (scene) => failsAs(scene, await scene.reader.get(target, patiently()), "capacity"),
  ),
  sceneCase("a prefix as long as the body is complete", [sized(64)], async (scene) => {
    const prefix = valueOf(await scene.reader.getPrefix(target, 64, patiently()));
    assert.equal(prefix.body.length, 64);
    assert.equal(prefix.complete, true);
  }),
  sceneCase("a prefix shorter than the body is not complete", [sized(64)], async (scene) => {
    const prefix = valueOf(await scene.reader.getPrefix(target, 63, patiently()));
    assert.equal(prefix.body.length, 63);
    assert.equal(prefix.complete, false);
  }),
  sceneCase("a lost answer is unavailable", [{ act: "lose" }], async (scene) =>
    failsAs(scene, await scene.reader.get(target, patiently()), "unavailable"),
  ),
  sceneCase(
    "an answer that is lost in its body is unavailable, never shorter",
    [{ act: "pieces", pieces: [encodeText("half")], after: "lose" }],
    async (scene) => {
      failsAs(scene, await scene.reader.get(target, patiently()), "unavailable");
      failsAs(scene, await scene.reader.getPrefix(target, 100, patiently()), "unavailable");
    },
  ),
  sceneCase("a silent peer is a timeout", [{ act: "silence" }], async (scene) => {
    const reading = scene.reader.get(target, patiently());
    await seen(scene);
    scene.elapse(patientMs);
    failsAs(scene, await reading, "timeout");
  }),
  sceneCase("a caller that stops a read is told so", [{ act: "silence" }], async (scene) => {
    const stop = new AbortController();
    const reading = scene.reader.get(target, patiently({ signal: stop.signal }));
    await seen(scene);
    stop.abort();
    failsAs(scene, await reading, "interrupted");
  }),
  sceneCase("a stopped caller's read sends nothing", [plain], async (scene) => {
    const outcome = await scene.reader.get(target, patiently({ signal: AbortSignal.abort() }));
    failsAs(scene, outcome, "interrupted");
    assert.equal(scene.observed().length, 0);
  }),
  sceneCase("a peer that cannot be reached is unavailable", "unreachable", async (scene) =>
    failsAs(scene, await scene.reader.get(target, patiently()), "unavailable"),
  ),
];
