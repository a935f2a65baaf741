import assert from "node:assert/strict";
import type { ErrorCode, SendEvidence } from "@connectors/domain";
import type { ReadOptions, SendFailure, UpgradeOutcome, WriteRequest } from "../http.js";
import type { Failure, Outcome } from "../outcome.js";
import type { ContractCase } from "./contract-case.js";
import type { HttpHarness, HttpScene, PeerAct } from "./http-harness.js";

/** What every wait of these cases is given; a scene's time passes only when it is told to. */
export const patientMs = 10_000;

/** Options of a read that has all the time it needs. */
export function patiently(more: Partial<ReadOptions> = {}): ReadOptions {
  return {
    accept: "application/json",
    signal: new AbortController().signal,
    timeoutMs: patientMs,
    ...more,
  };
}

/** A PATCH of a fixed body to a fixed target. */
export function makePatch(more: Partial<WriteRequest> = {}): WriteRequest {
  return {
    method: "PATCH",
    segments: ["apis", "apps", "v1", "deployments", "api"],
    contentType: "application/strategic-merge-patch+json",
    accept: "application/json",
    body: encodeText('{"spec":{}}'),
    ...more,
  };
}

/** Options of a send that has all the time it needs. */
export function sending(
  more: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): {
  readonly correlation: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
} {
  return {
    correlation: "0195f6a0-0000-7000-8000-000000000001",
    signal: new AbortController().signal,
    timeoutMs: patientMs,
    ...more,
  };
}

/** Resolves when the peer has read `count` requests; time that passes now meets them in flight. */
export async function seen(scene: HttpScene, count = 1): Promise<void> {
  const endMs = performance.now() + 20_000;
  while (scene.observed().length < count) {
    assert.ok(performance.now() < endMs, "the peer saw no request");
    await new Promise((resolve) => void setTimeout(resolve, 1));
  }
}

/** UTF-8. */
export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of UTF-8 bytes. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** A case in one scene; no failure that it checks may show one of the scene's secrets. */
export function sceneCase(
  name: string,
  acts: readonly [PeerAct, ...PeerAct[]] | "unreachable",
  run: (scene: HttpScene) => Promise<void>,
): ContractCase<HttpHarness> {
  return {
    name,
    async run(harness) {
      const scene =
        acts === "unreachable" ? await harness.openUnreachable() : await harness.open(acts);
      try {
        await run(scene);
      } finally {
        await scene[Symbol.asyncDispose]();
      }
    },
  };
}

/** The value of an outcome that must be one. */
export function valueOf<T, F>(outcome: Outcome<T, F>): T {
  if (!outcome.ok) assert.fail(`expected a value, got ${JSON.stringify(outcome.failure)}`);
  return outcome.value;
}

/** Asserts a failure of one code, of fixed and secretless text. */
export function failsAs(scene: HttpScene, outcome: Outcome<unknown>, code: ErrorCode): void {
  assert.ok(!outcome.ok, `expected ${code}, got a value`);
  checkFailure(scene, outcome.failure, code);
  assert.equal(outcome.failure.effect, "none");
}

/** Asserts a failed send of one code, and what is proved of it. */
export function sendFailsAs(
  scene: HttpScene,
  outcome: Outcome<unknown, SendFailure>,
  code: ErrorCode,
  sent: SendEvidence,
): void {
  assert.ok(!outcome.ok, `expected ${code}, got a value`);
  checkFailure(scene, outcome.failure.failure, code);
  assert.equal(outcome.failure.sent, sent);
  assert.equal(outcome.failure.failure.effect, sent === "no" ? "none" : "unknown");
}

/** Asserts an upgrade that ended without a stream and without an answer. */
export function upgradeFailsAs(
  scene: HttpScene,
  outcome: UpgradeOutcome,
  kind: "notSent" | "lost",
  code: ErrorCode,
): void {
  assert.ok(outcome.kind === kind, `expected ${kind}, got ${outcome.kind}`);
  checkFailure(scene, outcome.failure, code);
  assert.equal(outcome.failure.effect, kind === "notSent" ? "none" : "unknown");
}

/** Asserts a failure's code, and that it shows no secret of the scene. */
export function checkFailure(scene: HttpScene, failure: Failure, code: ErrorCode): void {
  assert.equal(failure.code, code, JSON.stringify(failure));
  const shown = JSON.stringify(failure);
  for (const secret of scene.secrets) assert.ok(!shown.includes(secret), "a secret is shown");
}
