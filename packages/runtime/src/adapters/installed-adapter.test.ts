import { operationsMax, type OperationDeclaration } from "@connectors/domain";
import type { Adapter, AdapterDescription } from "@connectors/sdk";
import { describe, expect, test } from "vitest";
import {
  changeDeclaration,
  getDeclaration,
  runDeclaration,
} from "../testing/scripted-declarations.js";
import { makeScriptedProvider } from "../testing/scripted-provider.js";
import { guardAdapter } from "./guard-adapter.js";
import { installAdapters, type AdapterRegistration } from "./installed-adapter.js";

const { registration } = makeScriptedProvider();

function install(description: Partial<AdapterDescription>, members: object = {}): string {
  const described = { ...registration.adapter.describe(), ...description };
  const adapter: Adapter = { ...registration.adapter, describe: () => described };
  const installed = installAdapters([{ ...registration, adapter, ...members }]);
  return installed.ok ? "ok" : installed.failure.message;
}

function declare(members: object, from: OperationDeclaration = changeDeclaration): string {
  const operation = { ...from, ...members } as OperationDeclaration;
  return install({ operations: [operation] });
}

describe("an adapter is installed", () => {
  test("when its declarations are whole, under a revision of each and of its configuration", () => {
    const installed = installAdapters([registration]);
    const adapter = installed.ok ? installed.value.get("prod") : undefined;
    expect(adapter?.operations.get("thing.change")?.revision).toMatch(/^[0-9a-f]{64}$/);
    const wider = makeScriptedProvider({ namespaces: ["web", "db"] });
    const other = installAdapters([wider.registration]);
    const second = other.ok ? other.value.get("prod") : undefined;
    expect(second?.configurationRevision).not.toBe(adapter?.configurationRevision);
    expect(second?.operations.get("thing.change")?.revision).toBe(
      adapter?.operations.get("thing.change")?.revision,
    );
  });
});

describe("nothing of a host is advertised", () => {
  test("while an adapter's name, kind or probe is none, or a name is there twice", () => {
    expect(install({}, { name: "Prod!" })).toContain("name");
    expect(install({ adapter: "Not a kind" })).toContain("kind");
    expect(install({}, { probed: { provider: {}, at_ms: 0 } })).toContain("probe");
    const twice = installAdapters([registration, registration]);
    expect(twice.ok).toBe(false);
  });

  test("while a declaration is incomplete, unknown in part, or there twice", () => {
    expect(declare({ risk: undefined })).toContain("/risk");
    expect(declare({ profile: "Mutation" })).toContain("/profile");
    expect(declare({ comment: "hello" })).not.toBe("ok");
    expect(declare({ effects: ["external_write", "magic"] })).toContain("/effects");
    expect(install({ operations: [changeDeclaration, changeDeclaration] })).toContain("twice");
  });

  test("while a write is no mutation, or a mutation no write", () => {
    expect(declare({ profile: "thing-change" })).toContain("mutation");
    expect(declare({ effects: ["network"] })).toContain("mutation");
    expect(declare({ profile: "mutation" }, getDeclaration)).toContain("mutation");
  });

  test("while keys and retention contradict each other, or a read takes keys", () => {
    const keyed = { idempotency: { kind: "keyed", retention_s: null } };
    expect(declare(keyed)).toContain("retention");
    const kept = { idempotency: { kind: "none", retention_s: 86_400 } };
    expect(declare(kept, runDeclaration)).toContain("retention");
    const read = { idempotency: { kind: "keyed", retention_s: 86_400 } };
    expect(declare(read, getDeclaration)).toContain("read");
  });

  test("while bounds cannot be kept", () => {
    const { limits } = changeDeclaration;
    expect(declare({ limits: { ...limits, result_bytes: 65_537 } })).toContain("kept");
    expect(declare({ limits: { ...limits, result_bytes: 65_536 } })).toBe("ok");
    expect(declare({ limits: { ...limits, provider_ms: 20_001 } })).toContain("time");
  });

  test("while there are more declarations than one adapter may have", () => {
    const many = (count: number): OperationDeclaration[] =>
      Array.from({ length: count }, (_unused, at) => {
        return { ...changeDeclaration, id: `thing.change_${at}` } as OperationDeclaration;
      });
    expect(install({ operations: many(operationsMax) })).toBe("ok");
    expect(install({ operations: many(operationsMax + 1) })).toContain("more than");
  });

  test("while an adapter cannot describe itself", () => {
    const adapter: Adapter = {
      ...registration.adapter,
      describe() {
        throw new Error("boom");
      },
    };
    const broken: AdapterRegistration = { ...registration, adapter };
    expect(installAdapters([broken])).toMatchObject({ ok: false, failure: { code: "internal" } });
  });
});

describe("an adapter that misbehaves before the gate", () => {
  const boom = (): never => {
    throw new Error("token hunter2");
  };
  const nonsense = {
    check: () => ({ ok: true, value: { namespace: 1, name: "api", command: null } }),
    checkResult: () => ({ ok: true, value: [] }),
    read: () => Promise.resolve({ ok: true, value: "text" }),
    prepareWrite: () => Promise.resolve({ ok: true, value: { needs: { kind: "magic" } } }),
  } as unknown as Adapter;
  const nothing = {
    check: () => undefined,
    checkResult: () => null,
    read: () => undefined,
    prepareWrite: () => Promise.resolve(undefined),
  } as unknown as Adapter;
  const thrower = { check: boom, checkResult: boom, read: boom, prepareWrite: boom };

  test.each([
    ["throws", thrower as unknown as Adapter],
    ["answers with something else", nonsense],
    ["answers with nothing", nothing],
  ])("and %s is internal at every port, with no word of its own", async (_what, broken) => {
    const adapter = guardAdapter({ ...registration.adapter, ...broken });
    const signal = new AbortController().signal;
    const port = {} as Parameters<Adapter["read"]>[2]["http"];
    const request = { operation: "thing.change", input: {}, nowMs: 0, signal, http: port };
    const outcomes = [
      adapter.check("thing.change", {}),
      adapter.checkResult("thing.change", {}),
      await adapter.read("thing.get", {}, { http: port, signal }),
      await adapter.prepareWrite({ ...request, check: boom }),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ ok: false, failure: { code: "internal" } });
      expect(JSON.stringify(outcome)).not.toContain("hunter2");
    }
  });

  test("and throws when it is cancelled is cancelled all the same", async () => {
    const adapter = guardAdapter({
      ...registration.adapter,
      prepareWrite: () =>
        Promise.resolve({
          ok: true,
          value: { needs: { kind: "write" }, execute: boom, cancel: boom },
        }),
    });
    const port = {} as Parameters<Adapter["read"]>[2]["http"];
    const signal = new AbortController().signal;
    const prepared = await adapter.prepareWrite({
      operation: "thing.change",
      input: {},
      http: port,
      check: boom,
      nowMs: 0,
      signal,
    });
    expect(prepared.ok && prepared.value.cancel()).toBeUndefined();
  });
});
