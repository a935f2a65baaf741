import assert from "node:assert/strict";
import type { HttpStream, ReadOptions } from "../http.js";
import type { ContractCase } from "./contract-case.js";
import type { HttpHarness } from "./http-harness.js";
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

const target = { segments: ["api", "v1", "pods"], query: [["watch", "true"]] as const };
const idleMs = 30_000;

function streaming(more: Partial<ReadOptions> = {}): ReadOptions & { readonly idleMs: number } {
  return { ...patiently(more), idleMs };
}

async function readAll(stream: HttpStream): Promise<string> {
  let text = "";
  for (;;) {
    const piece = valueOf(await stream.next());
    if (piece === "end") return text;
    text += decodeText(piece);
  }
}

/** What every `AuthenticatedHttp` promises of `getStream`. */
export const httpStreamContract: readonly ContractCase<HttpHarness>[] = [
  sceneCase(
    "a stream gives every byte in order, then its end, again and again",
    [{ act: "pieces", pieces: ["one ", "two ", "three"].map(encodeText), after: "end" }],
    async (scene) => {
      const stream = valueOf(await scene.reader.getStream(target, streaming()));
      assert.equal(stream.status, 200);
      assert.equal(await readAll(stream), "one two three");
      assert.deepEqual(await stream.next(), { ok: true, value: "end" });
      assert.deepEqual(await stream.next(), { ok: true, value: "end" });
      await stream[Symbol.asyncDispose]();
    },
  ),
  sceneCase(
    "a stream is given as soon as its head is there",
    [{ act: "pieces", pieces: [], after: "silence" }],
    async (scene) => {
      const stream = valueOf(await scene.reader.getStream(target, streaming()));
      assert.equal(stream.status, 200);
      await stream[Symbol.asyncDispose]();
    },
  ),
  sceneCase(
    "a refusal is streamed like any answer",
    [{ act: "answer", status: 410, body: encodeText("gone") }],
    async (scene) => {
      const stream = valueOf(await scene.reader.getStream(target, streaming()));
      assert.equal(stream.status, 410);
      assert.equal(await readAll(stream), "gone");
    },
  ),
  sceneCase(
    "a lost stream gives what came, then its failure, again and again",
    [{ act: "pieces", pieces: [encodeText("first")], after: "lose" }],
    async (scene) => {
      const stream = valueOf(await scene.reader.getStream(target, streaming()));
      const first = await stream.next();
      // A loss may overtake bytes that nobody had asked for; it never becomes an end.
      if (first.ok) {
        assert.deepEqual(first.value, encodeText("first"));
        failsAs(scene, await stream.next(), "unavailable");
      }
      failsAs(scene, await stream.next(), "unavailable");
    },
  ),
  sceneCase(
    "silence longer than the idle limit is a timeout",
    [{ act: "pieces", pieces: [encodeText("x")], after: "silence" }],
    async (scene) => {
      const stream = valueOf(await scene.reader.getStream(target, streaming()));
      assert.deepEqual(valueOf(await stream.next()), encodeText("x"));
      const next = stream.next();
      scene.elapse(idleMs);
      failsAs(scene, await next, "timeout");
      failsAs(scene, await stream.next(), "timeout");
    },
  ),
  sceneCase("a head that never comes is a timeout", [{ act: "silence" }], async (scene) => {
    const opening = scene.reader.getStream(target, streaming());
    await seen(scene);
    scene.elapse(patientMs);
    failsAs(scene, await opening, "timeout");
  }),
  sceneCase(
    "a caller that stops a stream is told so",
    [{ act: "pieces", pieces: [], after: "silence" }],
    async (scene) => {
      const stop = new AbortController();
      const stream = valueOf(
        await scene.reader.getStream(target, streaming({ signal: stop.signal })),
      );
      const next = stream.next();
      stop.abort();
      failsAs(scene, await next, "interrupted");
    },
  ),
  sceneCase(
    "a stream over the bound that its caller gave is refused",
    [{ act: "pieces", pieces: [new Uint8Array(100), new Uint8Array(1)], after: "end" }],
    async (scene) => {
      const whole = valueOf(await scene.reader.getStream(target, streaming({ bodyBytesMax: 101 })));
      assert.equal((await readAll(whole)).length, 101);
      const stream = valueOf(
        await scene.reader.getStream(target, streaming({ bodyBytesMax: 100 })),
      );
      let outcome = await stream.next();
      while (outcome.ok && outcome.value !== "end") outcome = await stream.next();
      failsAs(scene, outcome, "capacity");
    },
  ),
  sceneCase(
    "disposing a stream ends it, and may be done twice",
    [{ act: "pieces", pieces: [], after: "silence" }],
    async (scene) => {
      const stream = valueOf(await scene.reader.getStream(target, streaming()));
      await stream[Symbol.asyncDispose]();
      await stream[Symbol.asyncDispose]();
      failsAs(scene, await stream.next(), "unavailable");
    },
  ),
];
