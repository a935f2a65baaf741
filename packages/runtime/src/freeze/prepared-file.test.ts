import { clockBackstepMsMax, freezeValidMsMax, preparedFileBytesMax } from "@connectors/domain";
import { encodeCanonical, sha256Hex, succeed } from "@connectors/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commit, freeze, openRig, rigPolicy, type HostRig } from "../testing/host-rig.js";
import { makeScriptedProvider, scriptedPlace } from "../testing/scripted-provider.js";
import { decodePrepared } from "./prepared-file.js";

async function prepared(rig: HostRig): Promise<string> {
  return Buffer.from((await freeze(rig)).preparedBytes).toString();
}

async function codeOf(rig: HostRig, text: string | Uint8Array): Promise<string> {
  const opened = await rig.host.openPrepared(
    typeof text === "string" ? new TextEncoder().encode(text) : text,
  );
  return opened.ok ? "ok" : opened.failure.code;
}

describe("a prepared file", () => {
  test("is canonical JSON and one newline, and opens as what was frozen", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const text = Buffer.from(frozen.preparedBytes).toString();
    expect(text.endsWith("}\n")).toBe(true);
    expect(Object.keys(JSON.parse(text))).toEqual([
      "format",
      "input",
      "key",
      "subject",
      "subject_sha256",
    ]);
    const opened = await rig.host.openPrepared(frozen.preparedBytes);
    expect(opened.ok && opened.value.subjectSha256).toBe(frozen.subjectSha256);
    expect(opened.ok && opened.value.key).toBe("key-1");
  });

  test("with any one byte changed, missing or added is refused as invalid_input", async () => {
    const rig = await openRig();
    const good = (await freeze(rig)).preparedBytes;
    const change = fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(change, fc.constantFrom("change", "drop", "add"), ([at, by], how) => {
        const head = [...good.subarray(0, at)];
        const tail = [...good.subarray(at + (how === "add" ? 0 : 1))];
        const middle = how === "drop" ? [] : [((good[at] ?? 0) + by) & 0xff];
        const decoded = decodePrepared(new Uint8Array([...head, ...middle, ...tail]));
        expect(decoded.ok ? "ok" : decoded.failure.code).toBe("invalid_input");
      }),
      { numRuns: 400 },
    );
  });

  test("written in another way is refused, though it means the same", async () => {
    const rig = await openRig();
    const text = await prepared(rig);
    expect(await codeOf(rig, text)).toBe("ok");
    const others = [
      text.trimEnd(),
      `${text}\n`,
      `\ufeff${text}`,
      `${JSON.stringify(JSON.parse(text), null, 1)}\n`,
      text.replace('"key":"key-1"', '"key":"\\u006bey-1"'),
      text.replace("\n", "\r\n"),
    ];
    for (const other of others) {
      expect(await codeOf(rig, other)).toBe("invalid_input");
      expect(decodePrepared(new TextEncoder().encode(other)).ok).toBe(false);
    }
  });

  test("whose digests are right for a write that this host would freeze otherwise is refused", async () => {
    const rig = await openRig();
    const { subject, preparedBytes } = await freeze(rig);
    const file = JSON.parse(Buffer.from(preparedBytes).toString());
    const subjects = [
      { ...subject, target: { ...subject.target, contract: "operations/v2" } },
      { ...subject, target: { ...subject.target, connection: "staging" } },
      { ...subject, target: { ...subject.target, adapter: "other" } },
      { ...subject, authority: { ...subject.authority, tenant: "acme" } },
      { ...subject, route: "elsewhere" },
    ];
    for (const changed of subjects) {
      const json = JSON.parse(JSON.stringify(changed));
      const subject_sha256 = sha256Hex(encodeCanonical(json));
      const text = `${encodeCanonical({ ...file, subject: json, subject_sha256 })}\n`;
      expect(decodePrepared(new TextEncoder().encode(text)).ok).toBe(true);
      expect(await codeOf(rig, text)).toBe("invalid_input");
    }
  });

  test("that waits for longer than any freeze may is refused, and the longest one opens", async () => {
    const rig = await openRig();
    const { subject, preparedBytes } = await freeze(rig, { validMs: freezeValidMsMax });
    expect(await codeOf(rig, preparedBytes)).toBe("ok");
    const file = JSON.parse(Buffer.from(preparedBytes).toString());
    const longer = { ...subject, expires_at_ms: subject.expires_at_ms + clockBackstepMsMax + 1 };
    const json = JSON.parse(JSON.stringify(longer));
    const subject_sha256 = sha256Hex(encodeCanonical(json));
    const text = `${encodeCanonical({ ...file, subject: json, subject_sha256 })}\n`;
    expect(await codeOf(rig, text)).toBe("invalid_input");
  });

  test("with members that do not belong together is refused", async () => {
    const rig = await openRig();
    const text = await prepared(rig);
    const swaps: readonly (readonly [string, string])[] = [
      ['"to":"blue"', '"to":"grey"'],
      ['"key":"key-1"', '"key":"key-2"'],
      ['"key":"key-1"', '"key":null'],
      [scriptedPlace.username, "system:serviceaccount:web:another"],
    ];
    for (const [from, to] of swaps) {
      expect(text).toContain(from);
      expect(await codeOf(rig, text.replace(from, to))).toBe("invalid_input");
    }
  });

  test("larger than any is refused before it is read", async () => {
    const rig = await openRig();
    expect(await codeOf(rig, new Uint8Array(preparedFileBytesMax + 2))).toBe("invalid_input");
  });

  test("of another host, or another caller, is not this one's", async () => {
    const rig = await openRig();
    const text = await prepared(rig);
    const audience = "connectors.host/0c0ffee0-0000-4000-8000-000000000009";
    const elsewhere = await openRig({ host: { audience } });
    expect(await codeOf(elsewhere, text)).toBe("invalid_input");
    const other = await openRig({ host: { caller: "os:eve" } });
    expect(await codeOf(other, text)).toBe("forbidden");
  });

  test("under another declaration or configuration is stale", async () => {
    const rig = await openRig();
    const text = await prepared(rig);
    const wider = makeScriptedProvider({ namespaces: ["web", "db"] });
    expect(await codeOf(await openRig({ provider: wider }), text)).toBe("stale_description");
    const [change, ...rest] = wider.registration.adapter.describe().operations;
    if (change === undefined) throw new Error("no declaration");
    const declarations = [{ ...change, description: "Changes it differently." }, ...rest];
    const renewed = makeScriptedProvider({ declarations });
    expect(await codeOf(await openRig({ provider: renewed }), text)).toBe("stale_description");
  });

  test("that the policy no longer allows is forbidden, whatever its key once got", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    await commit(rig, frozen);
    await rig.host.policy.set(rigPolicy({ rules: [] }));
    expect(await codeOf(rig, frozen.preparedBytes)).toBe("forbidden");
  });

  test("opens when only policy revision, cluster or time have moved on", async () => {
    const rig = await openRig();
    const text = await prepared(rig);
    await rig.host.policy.set(rigPolicy({ id: "renamed" }));
    rig.ambient.advance(3_600_000);
    const { username: _, ...place } = scriptedPlace;
    rig.provider.script.describe = () =>
      Promise.resolve(succeed({ ...place, base_url: "https://elsewhere:6443/" }));
    expect(await codeOf(rig, text)).toBe("ok");
  });
});
