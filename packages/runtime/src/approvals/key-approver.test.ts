import { parseName } from "@connectors/domain";
import { fail } from "@connectors/sdk";
import { describe, expect, test } from "vitest";
import { trusted } from "../identity/trusted.js";
import { freeze, openRig, patience, rigKey, type HostRig } from "../testing/host-rig.js";
import { scriptedDeclarations } from "../testing/scripted-declarations.js";
import { scriptedPlace } from "../testing/scripted-provider.js";
import { makeKeyApprover, type KeyApproverParts } from "./key-approver.js";
import { makeProofFileApprover } from "./proof-file-approver.js";

const ada = trusted(parseName("ada"), "a name");
const { username: _, ...place } = scriptedPlace;

function partsOf(rig: HostRig, members: Partial<KeyApproverParts> = {}): KeyApproverParts {
  return {
    key: { ...rigKey, approver: ada },
    view: { declarations: scriptedDeclarations, clusters: [{ ...place, name: "production" }] },
    ambient: rig.ambient,
    acceptUnknownCluster: false,
    confirm: () => Promise.resolve(true),
    ...members,
  };
}

describe("an approver with a key", () => {
  test("signs the very bytes that it showed, and the host takes it", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const shown: string[] = [];
    const approver = makeKeyApprover(
      partsOf(rig, {
        confirm(lines) {
          shown.push(...lines);
          return Promise.resolve(true);
        },
      }),
    );
    const proof = await approver.approve({ file: frozen.preparedBytes }, { signal: patience() });
    if (!proof.ok) throw new Error(proof.failure.message);
    expect(shown.at(-1)).toContain(frozen.subjectSha256);
    const answer = await frozen.commit({ proof: proof.value, signal: patience() });
    expect(answer.classification).toBe("applied");
  });

  test("that says no is a denial", async () => {
    const rig = await openRig();
    const { preparedBytes: file } = await freeze(rig);
    const approver = makeKeyApprover(partsOf(rig, { confirm: () => Promise.resolve(false) }));
    expect(await approver.approve({ file }, { signal: patience() })).toMatchObject({
      ok: false,
      failure: { code: "approval_refused", reason: "denied" },
    });
  });

  test("opens its key only after a yes, and signs nothing when that fails", async () => {
    const rig = await openRig();
    const { preparedBytes: file } = await freeze(rig);
    let opened = 0;
    const key: KeyApproverParts["key"] = () => {
      opened += 1;
      return Promise.resolve(fail("unauthorized", "no passphrase"));
    };
    const denying = makeKeyApprover(partsOf(rig, { key, confirm: () => Promise.resolve(false) }));
    await denying.approve({ file }, { signal: patience() });
    expect(opened).toBe(0);
    const approving = makeKeyApprover(partsOf(rig, { key }));
    expect(await approving.approve({ file }, { signal: patience() })).toMatchObject({
      ok: false,
      failure: { code: "unauthorized" },
    });
    expect(opened).toBe(1);
  });

  test("is not asked about a cluster that it does not know, unless it accepts that", async () => {
    const rig = await openRig();
    const { preparedBytes: file } = await freeze(rig);
    let asked = 0;
    const confirm = (): Promise<boolean> => {
      asked += 1;
      return Promise.resolve(true);
    };
    const view = { declarations: scriptedDeclarations, clusters: [] };
    const strict = makeKeyApprover(partsOf(rig, { view, confirm }));
    expect(await strict.approve({ file }, { signal: patience() })).toMatchObject({
      ok: false,
      failure: { code: "approval_refused", reason: "not_permitted" },
    });
    expect(asked).toBe(0);
    const bold = makeKeyApprover(partsOf(rig, { view, confirm, acceptUnknownCluster: true }));
    expect((await bold.approve({ file }, { signal: patience() })).ok).toBe(true);
  });

  test("does not sign what expired before it was asked, or while it was", async () => {
    const rig = await openRig();
    const { preparedBytes: file } = await freeze(rig, { validMs: 1000 });
    const expired = { ok: false, failure: { code: "approval_refused", reason: "expired" } };
    const slow = makeKeyApprover(
      partsOf(rig, {
        confirm() {
          rig.ambient.advance(1000);
          return Promise.resolve(true);
        },
      }),
    );
    expect(await slow.approve({ file }, { signal: patience() })).toMatchObject(expired);
    const late = makeKeyApprover(partsOf(rig));
    expect(await late.approve({ file }, { signal: patience() })).toMatchObject(expired);
  });

  test("that is stopped before or while it is asked signs nothing", async () => {
    const rig = await openRig();
    const { preparedBytes: file } = await freeze(rig);
    const controller = new AbortController();
    const approver = makeKeyApprover(
      partsOf(rig, {
        confirm() {
          controller.abort();
          return Promise.resolve(true);
        },
      }),
    );
    const interrupted = { ok: false, failure: { code: "interrupted" } };
    const { signal } = controller;
    expect(await approver.approve({ file }, { signal })).toMatchObject(interrupted);
    expect(await approver.approve({ file }, { signal })).toMatchObject(interrupted);
  });
});

describe("a proof file", () => {
  test("is taken with or without a newline, and refused when it holds nothing", async () => {
    const options = { signal: patience() };
    const file = new Uint8Array();
    for (const text of ["a.b.c", "a.b.c\n", "a.b.c\r\n"]) {
      const proof = await makeProofFileApprover(text).approve({ file }, options);
      expect(proof).toEqual({ ok: true, value: { jws: "a.b.c" } });
    }
    for (const text of ["", "\n", "x".repeat(20_000)]) {
      const proof = await makeProofFileApprover(text).approve({ file }, options);
      expect(proof).toMatchObject({ ok: false, failure: { code: "invalid_input" } });
    }
  });
});
