import { freezeValidMsMax, inputBytesMax } from "@connectors/domain";
import { encodeCanonical, fail, sha256Hex, succeed, type JsonObject } from "@connectors/sdk";
import { describe, expect, test } from "vitest";
import type { Host } from "../host/host.js";
import { freeze, openRig, rigPolicy, runRequest, type HostRig } from "../testing/host-rig.js";
import { changeDeclaration } from "../testing/scripted-declarations.js";
import { makeScriptedProvider, scriptedPlace } from "../testing/scripted-provider.js";

type Request = Parameters<Host["freezeWrite"]>[0];

const good: Request = {
  adapter: "prod",
  operation: "thing.change",
  input: { namespace: "web", name: "api", to: "blue" },
  key: "key-1",
};

async function codeOf(rig: HostRig, members: Partial<Request>): Promise<string> {
  const frozen = await rig.host.freezeWrite({ ...good, ...members });
  return frozen.ok ? "ok" : frozen.failure.code;
}

describe("a freeze", () => {
  test("names every coordinate of the effect in its subject, with explicit nulls", async () => {
    const rig = await openRig();
    const { subject, subjectSha256, key } = await freeze(rig);
    expect(JSON.parse(encodeCanonical(JSON.parse(JSON.stringify(subject))))).toMatchObject({
      format: "connectors.approval-subject/1",
      target: {
        instance: "prod",
        adapter: "scripted",
        connection: "prod",
        operation: "thing.change",
        provider: scriptedPlace,
        contract: "operations/v1alpha1",
        profile: "mutation",
      },
      authority: { tenant: null, realm: null, caller: "os:ada", executor: null },
      origin: "direct",
      route: null,
      canonicalization: "connectors-jcs/1",
      key_sha256: sha256Hex("key-1"),
      input_sha256: sha256Hex('{"name":"api","namespace":"web","to":"blue"}'),
      expires_at_ms: rig.ambient.clock.nowMs() + 600_000,
    });
    expect(key).toBe("key-1");
    expect(subjectSha256).toBe(sha256Hex(encodeCanonical(JSON.parse(JSON.stringify(subject)))));
  });

  test("asks the provider nothing", async () => {
    const rig = await openRig();
    await freeze(rig);
    expect(rig.provider.seen).toMatchObject({ captures: 0, preflights: 0, reads: 0 });
    expect(rig.provider.seen.dispatches).toEqual([]);
  });

  test("keeps the bytes of the input, whatever becomes of the caller's object", async () => {
    const rig = await openRig();
    const input: { [member: string]: string } = { namespace: "web", name: "api", to: "blue" };
    const freezing = rig.host.freezeWrite({ ...good, input });
    input["name"] = "other";
    const frozen = await freezing;
    if (!frozen.ok) throw new Error(frozen.failure.message);
    input["to"] = "red";
    await frozen.value.commit({
      proof: rig.prove(frozen.value),
      signal: new AbortController().signal,
    });
    expect(rig.provider.seen.dispatches[0]?.input).toEqual({
      namespace: "web",
      name: "api",
      to: "blue",
    });
  });

  test("hands out copies of its bytes, so that nobody can change what is committed", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    const before = Buffer.from(frozen.preparedBytes).toString();
    frozen.preparedBytes.fill(0);
    const again = await rig.host.openPrepared(Buffer.from(before));
    expect(again.ok).toBe(true);
  });

  test("of equal requests at one moment is equal, byte for byte", async () => {
    const rig = await openRig();
    const one = await freeze(rig);
    const two = await freeze(rig, { input: { to: "blue", name: "api", namespace: "web" } });
    expect(Buffer.compare(one.preparedBytes, two.preparedBytes)).toBe(0);
  });
});

describe("a freeze is refused", () => {
  test("as unsupported without such an adapter or operation, and for a read", async () => {
    const rig = await openRig();
    expect(await codeOf(rig, { adapter: "staging" })).toBe("unsupported");
    expect(await codeOf(rig, { operation: "thing.vanish" })).toBe("unsupported");
    expect(await codeOf(rig, { operation: "thing.get", key: null })).toBe("unsupported");
    expect(await codeOf(rig, { operation: "__proto__" })).toBe("unsupported");
  });

  test("as forbidden when the operation is not turned on, before its input is looked at", async () => {
    const rig = await openRig();
    expect(await codeOf(rig, { operation: "thing.remove", input: {} })).toBe("forbidden");
  });

  test("as stale_description for another revision, before key and input are looked at", async () => {
    const rig = await openRig();
    const revision = rig.host.operations().find((o) => o.declaration.id === "thing.change");
    expect(await codeOf(rig, { revision: revision?.revision ?? "" })).toBe("ok");
    const stale = { revision: "0".repeat(64), key: null, input: {} };
    expect(await codeOf(rig, stale)).toBe("stale_description");
  });

  test("as invalid_input without a key where one is needed, and with one where none is", async () => {
    const rig = await openRig();
    expect(await codeOf(rig, { key: null })).toBe("invalid_input");
    expect(await codeOf(rig, { ...runRequest, key: "key-1" })).toBe("invalid_input");
    expect(await codeOf(rig, { ...runRequest })).toBe("ok");
    const poke = { operation: "thing.poke", input: { namespace: "web", name: "api" } };
    expect(await codeOf(rig, { ...poke, key: "key-1" })).toBe("invalid_input");
    expect(await codeOf(rig, { ...poke, key: null })).toBe("ok");
  });

  test("for a key outside of 1 to 256 bytes", async () => {
    const rig = await openRig();
    expect(await codeOf(rig, { key: "" })).toBe("invalid_input");
    expect(await codeOf(rig, { key: "k".repeat(256) })).toBe("ok");
    expect(await codeOf(rig, { key: "k".repeat(257) })).toBe("invalid_input");
    expect(await codeOf(rig, { key: "\u00e9".repeat(128) })).toBe("ok");
    expect(await codeOf(rig, { key: "\u00e9".repeat(129) })).toBe("invalid_input");
    expect(await codeOf(rig, { key: "\u0001".repeat(256) })).toBe("ok");
  });

  test("for input that the adapter does not accept, then for its namespaces", async () => {
    const rig = await openRig();
    expect(await codeOf(rig, { input: { namespace: "db", name: "" } })).toBe("invalid_input");
    expect(await codeOf(rig, { input: { namespace: "db", name: "api" } })).toBe("forbidden");
  });

  test("for input that JSON cannot carry", async () => {
    const rig = await openRig();
    const cyclic: { [member: string]: JsonObject } = {};
    cyclic["self"] = cyclic;
    const throwing = {
      get name(): string {
        throw new Error("boom");
      },
    };
    const inputs: readonly JsonObject[] = [
      cyclic,
      throwing,
      { n: Number.NaN },
      { n: 2 ** 53 },
      { s: "\ud800" },
      { "\ud800": 1 },
    ];
    for (const input of inputs) expect(await codeOf(rig, { input })).toBe("invalid_input");
    const list: unknown = [];
    expect(await codeOf(rig, { input: list as JsonObject })).toBe("invalid_input");
  });

  test("for input past the declared bytes, and accepted with exactly these", async () => {
    const rig = await openRig();
    const sized = (bytes: number): JsonObject => {
      const rest = encodeCanonical({ namespace: "web", name: "api", to: "" }).length;
      return { namespace: "web", name: "api", to: "x".repeat(bytes - rest) };
    };
    const { request_bytes: bytesMax } = changeDeclaration.limits;
    expect(bytesMax).toBeLessThan(inputBytesMax);
    expect(await codeOf(rig, { input: sized(bytesMax) })).toBe("ok");
    expect(await codeOf(rig, { input: sized(bytesMax + 1) })).toBe("capacity");
  });

  test("for a wait outside of 1 ms to a day", async () => {
    const rig = await openRig();
    expect(await codeOf(rig, { validMs: 1 })).toBe("ok");
    expect(await codeOf(rig, { validMs: freezeValidMsMax })).toBe("ok");
    for (const validMs of [0, -1, 1.5, Number.NaN, freezeValidMsMax + 1]) {
      expect(await codeOf(rig, { validMs })).toBe("invalid_input");
    }
  });

  test("as forbidden when no rule of the policy allows it, and without a policy", async () => {
    const rig = await openRig();
    await rig.host.policy.set(rigPolicy({ rules: [] }));
    expect(await codeOf(rig, {})).toBe("forbidden");
    const bare = await openRig({ joining: true });
    expect(await codeOf(bare, {})).toBe("forbidden");
    expect(bare.provider.seen.describes).toBe(0);
  });

  test("with the connection's own failure when its files are not readable", async () => {
    const rig = await openRig();
    rig.provider.script.describe = () =>
      Promise.resolve(fail("unavailable", "The kubeconfig is not readable."));
    expect(await codeOf(rig, {})).toBe("unavailable");
    rig.provider.script.describe = () => Promise.reject(new Error("boom"));
    expect(await codeOf(rig, {})).toBe("internal");
  });

  test("as unavailable when the provider was never asked who we are", async () => {
    const provider = makeScriptedProvider();
    const adapters = [{ ...provider.registration, probed: null }];
    const rig = await openRig({ host: { adapters } });
    expect(await codeOf(rig, {})).toBe("unavailable");
  });

  test("as capacity when the subject is larger than one may be", async () => {
    const rig = await openRig();
    const { username: _, ...place } = scriptedPlace;
    rig.provider.script.describe = () =>
      Promise.resolve(succeed({ ...place, base_url: "\u0001".repeat(2048) }));
    expect(await codeOf(rig, {})).toBe("capacity");
  });
});
