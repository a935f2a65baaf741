import assert from "node:assert/strict";
import { queryBytesMax, requestBodyBytesMax } from "@connectors/domain";
import type { ContractCase } from "./contract-case.js";
import type { HttpHarness, PeerAct } from "./http-harness.js";
import {
  decodeText,
  encodeText,
  makePatch,
  patientMs,
  sceneCase,
  seen,
  sendFailsAs,
  sending,
  valueOf,
} from "./scene-checks.js";

const accepted: PeerAct = { act: "answer", status: 200, body: encodeText('{"kind":"Deployment"}') };

/** What every `AuthenticatedWrite` promises. */
export const httpWriteContract: readonly ContractCase<HttpHarness>[] = [
  sceneCase("a write arrives exactly as it was described", [accepted], async (scene) => {
    const request = makePatch({ query: [["fieldManager", "connectors"]] });
    const answer = valueOf(await scene.write().send(request, sending()));
    assert.equal(answer.status, 200);
    assert.equal(decodeText(answer.body), '{"kind":"Deployment"}');
    const [arrived] = scene.observed();
    assert.equal(arrived?.method, "PATCH");
    assert.equal(
      arrived?.target,
      `${scene.basePath}apis/apps/v1/deployments/api?fieldManager=connectors`,
    );
    assert.equal(arrived?.headers.get("content-type"), "application/strategic-merge-patch+json");
    assert.equal(arrived?.headers.get("accept"), "application/json");
    assert.equal(arrived?.headers.get("audit-id"), sending().correlation);
    assert.equal(decodeText(arrived?.body ?? new Uint8Array()), '{"spec":{}}');
  }),
  sceneCase(
    "any status is an answer, and a redirect is not followed",
    [{ act: "answer", status: 307, headers: [["Location", "/again"]] }],
    async (scene) => {
      assert.equal(valueOf(await scene.write().send(makePatch(), sending())).status, 307);
      assert.equal(scene.observed().length, 1);
    },
  ),
  sceneCase("a write without a body says that it has none", [accepted], async (scene) => {
    const request = makePatch({ method: "DELETE", body: new Uint8Array() });
    valueOf(await scene.write().send(request, sending()));
    assert.equal(scene.observed()[0]?.method, "DELETE");
    assert.equal(scene.observed()[0]?.body.length, 0);
  }),
  sceneCase("a write is good for one try, even at once", [accepted], async (scene) => {
    const write = scene.write();
    const [first, second] = await Promise.all([
      write.send(makePatch(), sending()),
      write.send(makePatch(), sending()),
    ]);
    assert.equal(valueOf(first).status, 200);
    sendFailsAs(scene, second, "lifecycle_conflict", "no");
    assert.equal(scene.observed().length, 1);
  }),
  sceneCase("a refused write is used up", [accepted], async (scene) => {
    const write = scene.write();
    const refused = await write.send(makePatch({ segments: [".."] }), sending());
    sendFailsAs(scene, refused, "invalid_input", "no");
    sendFailsAs(scene, await write.send(makePatch(), sending()), "lifecycle_conflict", "no");
    assert.equal(scene.observed().length, 0);
  }),
  sceneCase("a body may have its bound of bytes, and not one more", [accepted], async (scene) => {
    const largest = makePatch({ body: new Uint8Array(requestBodyBytesMax) });
    valueOf(await scene.write().send(largest, sending()));
    const larger = makePatch({ body: new Uint8Array(requestBodyBytesMax + 1) });
    sendFailsAs(scene, await scene.write().send(larger, sending()), "capacity", "no");
    assert.equal(scene.observed().length, 1);
  }),
  sceneCase("a query may have its bound of bytes, and not one more", [accepted], async (scene) => {
    const largest = "v".repeat(queryBytesMax - 2);
    valueOf(await scene.write().send(makePatch({ query: [["n", largest]] }), sending()));
    const larger = makePatch({ query: [["n", `${largest}v`]] });
    sendFailsAs(scene, await scene.write().send(larger, sending()), "capacity", "no");
    assert.equal(scene.observed().length, 1);
  }),
  sceneCase(
    "a peer that cannot be reached proves that nothing left",
    "unreachable",
    async (scene) =>
      sendFailsAs(scene, await scene.write().send(makePatch(), sending()), "unavailable", "no"),
  ),
  sceneCase(
    "a lost answer may have been a write, and is not tried again",
    [{ act: "lose" }],
    async (scene) => {
      const outcome = await scene.write().send(makePatch(), sending());
      sendFailsAs(scene, outcome, "unavailable", "maybe");
      assert.equal(scene.observed().length, 1);
    },
  ),
  sceneCase(
    "a silent peer is a timeout that may have been a write",
    [{ act: "silence" }],
    async (scene) => {
      const sent = scene.write().send(makePatch(), sending());
      await seen(scene);
      scene.elapse(patientMs);
      sendFailsAs(scene, await sent, "timeout", "maybe");
    },
  ),
  sceneCase(
    "an answer over its bound may have been a write",
    [{ act: "answer", status: 200, body: new Uint8Array(101) }],
    async (scene) => {
      const options = { ...sending(), answerBytesMax: 100 };
      sendFailsAs(scene, await scene.write().send(makePatch(), options), "capacity", "maybe");
    },
  ),
  sceneCase("a caller that stopped before sends nothing", [accepted], async (scene) => {
    const options = sending({ signal: AbortSignal.abort() });
    sendFailsAs(scene, await scene.write().send(makePatch(), options), "interrupted", "no");
    assert.equal(scene.observed().length, 0);
  }),
  sceneCase("changing the body after the call changes nothing", [accepted], async (scene) => {
    const body = encodeText('{"a":1}');
    const sent = scene.write().send(makePatch({ body }), sending());
    body.fill(0x20);
    valueOf(await sent);
    assert.equal(decodeText(scene.observed()[0]?.body ?? new Uint8Array()), '{"a":1}');
  }),
  sceneCase("writes that run at once do not disturb each other", [accepted], async (scene) => {
    const sends = Array.from({ length: 8 }, () => scene.write().send(makePatch(), sending()));
    for (const outcome of await Promise.all(sends)) assert.equal(valueOf(outcome).status, 200);
    assert.equal(scene.observed().length, 8);
  }),
];
