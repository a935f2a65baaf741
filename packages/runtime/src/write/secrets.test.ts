import { makeFailure, succeed, type Failure } from "@connectors/sdk";
import { describe, expect, test } from "vitest";
import { scriptedDeclarations } from "../testing/scripted-declarations.js";
import {
  commit,
  freeze,
  openRig,
  patience,
  rigKey,
  runRequest,
  type HostRig,
} from "../testing/host-rig.js";
import { renderPrepared } from "../rendering/render-prepared.js";
import { appliedWith, scriptedPlace } from "../testing/scripted-provider.js";

const planted = "hunter2-planted-secret";

/** All that a store keeps and an export shows. */
async function everythingKept(rig: HostRig): Promise<string> {
  const lines: string[] = [];
  for await (const line of rig.host.audit.export()) lines.push(JSON.stringify(line));
  const maps = Object.values(rig.ledger.tables).map((table: unknown) =>
    table instanceof Map ? [...table] : table,
  );
  return `${JSON.stringify(maps)}${lines.join("")}`;
}

const loud = (): never => {
  throw new Error(planted);
};

const talkative: Failure = makeFailure("forbidden", "Denied.", { reason: `bearer ${planted}` });
const withMore = { detail: planted };
const withBody = { body: planted };

/** A failure that carries more than it may. */
const chatty: { ok: false; failure: Failure } = {
  ok: false,
  failure: { ...talkative, ...withMore },
};

describe("a secret that a provider or a connection lets slip", () => {
  const slips: readonly (readonly [string, (rig: HostRig) => void])[] = [
    ["when it captures", (rig) => (rig.provider.script.review = loud)],
    ["when it captures, in a failure", (rig) => (rig.provider.script.review = async () => chatty)],
    [
      "when it captures, in a reason",
      (rig) => (rig.provider.script.review = async () => ({ ok: false, failure: talkative })),
    ],
    [
      "at preflight, in a reason",
      (rig) => (rig.provider.script.preflight = async () => ({ ok: false, failure: talkative })),
    ],
    [
      "when it opens, in a reason",
      (rig) => (rig.provider.script.open = () => ({ ok: false, failure: talkative })),
    ],
    ["at preflight", (rig) => (rig.provider.script.preflight = loud)],
    ["at preflight, in a failure", (rig) => (rig.provider.script.preflight = async () => chatty)],
    ["when it opens", (rig) => (rig.provider.script.open = loud)],
    ["when it opens, in a failure", (rig) => (rig.provider.script.open = () => chatty)],
    ["when it sends", (rig) => (rig.provider.script.settle = loud)],
    [
      "in a refusal",
      (rig) =>
        (rig.provider.script.settle = async () => ({
          kind: "refused",
          failure: chatty.failure,
          stage: "response",
          provider: { http_status: 403, resource_version: planted },
        })),
    ],
    [
      "in an applied failure",
      (rig) =>
        (rig.provider.script.settle = async () => ({
          kind: "applied_failure",
          failure: chatty.failure,
          provider: { http_status: 403, resource_version: null, ...withBody },
        })),
    ],
    [
      "in an unknown",
      (rig) =>
        (rig.provider.script.settle = async () => ({
          kind: "unknown",
          failure: chatty.failure,
          code: "timeout",
          stage: "response",
          provider: { http_status: null, resource_version: null },
        })),
    ],
  ];

  test.each(slips)("%s is in no answer, record or row", async (_when, slip) => {
    const rig = await openRig();
    slip(rig);
    const answer = await commit(rig, await freeze(rig));
    expect(answer.failure).not.toBeNull();
    expect(JSON.stringify(answer)).not.toContain(planted);
    expect(await everythingKept(rig)).not.toContain(planted);
  });
});

test("what a command said and what it was given is in no record and no row", async () => {
  const rig = await openRig();
  rig.provider.script.settle = () => Promise.resolve(appliedWith({ changed: planted }));
  const input = { ...runRequest.input, command: ["login", planted] };
  const answer = await commit(rig, await freeze(rig, { ...runRequest, input }));
  expect(answer.result).toEqual({ changed: planted });
  expect(await everythingKept(rig)).not.toContain(planted);
});

test("what was observed on the way to an unknown is in no record and no row", async () => {
  const rig = await openRig();
  rig.provider.script.settle = () =>
    Promise.resolve({
      kind: "unknown",
      failure: makeFailure("outcome_unknown", "Lost."),
      code: "unavailable",
      stage: "response",
      observed: {
        stdout: planted,
        stderr: planted,
        stdout_truncated: false,
        stderr_truncated: false,
        status_reason: null,
      },
      provider: { http_status: null, resource_version: null },
    });
  const answer = await commit(rig, await freeze(rig, runRequest));
  expect(answer.observed?.stdout).toBe(planted);
  expect(await everythingKept(rig)).not.toContain(planted);
});

test("an approver's private key is in no proof, answer, rendering, record or row", async () => {
  const rig = await openRig();
  const seed = rigKey.privateKey.export({ format: "jwk" }).d ?? "";
  expect(seed).toHaveLength(43);
  const forms = [seed, Buffer.from(seed, "base64url").toString("hex")];
  const frozen = await freeze(rig);
  const proof = rig.prove(frozen);
  const answer = await frozen.commit({ proof, signal: patience() });
  const rendering = renderPrepared(frozen.preparedBytes, {
    declarations: scriptedDeclarations,
    clusters: [],
  });
  const shown = [proof, answer, rendering, await everythingKept(rig), rig.host.operations()];
  const text = shown.map((part) => JSON.stringify(part)).join("");
  for (const form of forms) expect(text).not.toContain(form);
});

test("a proof is kept nowhere: its reference and its approver's name are", async () => {
  const rig = await openRig();
  const frozen = await freeze(rig);
  const proof = rig.prove(frozen);
  const answer = await frozen.commit({ proof, signal: patience() });
  const kept = await everythingKept(rig);
  const [, claims = "", signature = ""] = proof.jws.split(".");
  for (const part of [proof.jws, claims, signature]) expect(kept).not.toContain(part);
  expect(kept).toContain(answer.approval?.reference);
});

test("a read that breaks off says nothing of what it threw", async () => {
  const rig = await openRig();
  for (const point of ["review", "read"] as const) {
    rig.provider.script[point] = loud;
    const read = await rig.host.read({
      adapter: "prod",
      operation: "thing.get",
      input: { namespace: "web", name: "api" },
      signal: patience(),
    });
    expect(read).toMatchObject({ ok: false, failure: { code: "internal" } });
    expect(JSON.stringify(read)).not.toContain(planted);
    rig.provider.script.review = () => Promise.resolve(succeed(scriptedPlace.username));
  }
});
