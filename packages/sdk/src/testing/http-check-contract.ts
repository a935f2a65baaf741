import assert from "node:assert/strict";
import { reviewAnswerBytesMax, reviewRequestBytesMax } from "@connectors/domain";
import type { ContractCase } from "./contract-case.js";
import type { HttpHarness } from "./http-harness.js";
import { decodeText, encodeText, failsAs, sceneCase, seen, valueOf } from "./scene-checks.js";

const { signal } = new AbortController();

/** What every `AuthenticatedCheck` promises. */
export const httpCheckContract: readonly ContractCase<HttpHarness>[] = [
  sceneCase(
    "each check posts its body to its own path",
    [{ act: "answer", status: 201, body: encodeText('{"ok":true}') }],
    async (scene) => {
      const body = encodeText('{"kind":"SelfSubjectReview"}');
      const answer = valueOf(await scene.check("selfsubjectreviews").check(body, { signal }));
      assert.equal(answer.status, 201);
      assert.equal(decodeText(answer.body), '{"ok":true}');
      valueOf(await scene.check("selfsubjectaccessreviews").check(body, { signal }));
      const arrived = scene.observed().map((request) => `${request.method} ${request.target}`);
      assert.deepEqual(arrived, [
        `POST ${scene.basePath}apis/authentication.k8s.io/v1/selfsubjectreviews`,
        `POST ${scene.basePath}apis/authorization.k8s.io/v1/selfsubjectaccessreviews`,
      ]);
      assert.equal(scene.observed()[0]?.headers.get("content-type"), "application/json");
      assert.deepEqual(Buffer.from(scene.observed()[0]?.body ?? ""), Buffer.from(body));
    },
  ),
  sceneCase(
    "a review has at most its bound of bytes",
    [{ act: "answer", status: 201 }],
    async (scene) => {
      const check = scene.check("selfsubjectreviews");
      valueOf(await check.check(new Uint8Array(reviewRequestBytesMax), { signal }));
      const outcome = await check.check(new Uint8Array(reviewRequestBytesMax + 1), { signal });
      failsAs(scene, outcome, "capacity");
      assert.equal(scene.observed().length, 1);
    },
  ),
  sceneCase(
    "a review's answer has at most its bound of bytes",
    [
      { act: "answer", status: 201, body: new Uint8Array(reviewAnswerBytesMax) },
      { act: "answer", status: 201, body: new Uint8Array(reviewAnswerBytesMax + 1) },
    ],
    async (scene) => {
      const check = scene.check("selfsubjectreviews");
      const answer = valueOf(await check.check(encodeText("{}"), { signal }));
      assert.equal(answer.body.length, reviewAnswerBytesMax);
      failsAs(scene, await check.check(encodeText("{}"), { signal }), "capacity");
    },
  ),
  sceneCase("a lost review is unavailable", [{ act: "lose" }], async (scene) => {
    const check = scene.check("selfsubjectreviews");
    failsAs(scene, await check.check(encodeText("{}"), { signal }), "unavailable");
    assert.equal(scene.observed().length, 1);
  }),
  sceneCase("a caller that stops a review is told so", [{ act: "silence" }], async (scene) => {
    const stop = new AbortController();
    const checking = scene
      .check("selfsubjectreviews")
      .check(encodeText("{}"), { signal: stop.signal });
    await seen(scene);
    stop.abort();
    failsAs(scene, await checking, "interrupted");
  }),
];
