import { annotationBytesMax, parseName } from "@connectors/domain";
import { fail, succeed } from "@connectors/sdk";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { describe, expect, test } from "vitest";
import { makeSigningKey } from "../approvals/signing-key.js";
import { signProof } from "../approvals/sign-proof.js";
import { trusted } from "../identity/trusted.js";
import { makeMemoryLedger, openMemoryJournal } from "../journal/memory-journal.js";
import {
  commit,
  freeze,
  letRun,
  openRig,
  passTimeUntil,
  patience,
  rigKey,
  rigPolicy,
  runRequest,
  type HostRig,
} from "../testing/host-rig.js";
import { makeScriptedProvider, scriptedPlace } from "../testing/scripted-provider.js";
import { openHost, type HostOptions } from "./host.js";

const never = <T>(): Promise<T> => new Promise(() => undefined);

function codeOf(outcome: { ok: boolean; failure?: { code: string } }): string {
  return outcome.ok ? "ok" : (outcome.failure?.code ?? "");
}

describe("opening a host", () => {
  const ledger = makeMemoryLedger();
  const options = (): HostOptions => {
    const { journal, locks } = openMemoryJournal({ ledger });
    return {
      journal,
      locks,
      adapters: [makeScriptedProvider().registration],
      ambient: makeManualAmbient({ seed: 1000 + ledger.locks.size }),
      audience: "connectors.host/0c0ffee0-0000-4000-8000-000000000001",
      caller: "os:ada",
      separationOf: () => Promise.resolve("none"),
      pid: 1,
    };
  };

  test("refuses an id or a caller that is none, and registers nobody", async () => {
    expect(codeOf(await openHost({ ...options(), audience: "here" }))).toBe("invalid_input");
    expect(codeOf(await openHost({ ...options(), caller: "ada" }))).toBe("invalid_input");
    expect(ledger.locks.size).toBe(0);
  });

  test("lets go of its lock when it cannot be registered", async () => {
    const closed = options();
    await closed.journal.close();
    expect(codeOf(await openHost(closed))).toBe("unavailable");
    expect(ledger.locks.size).toBe(0);
  });

  test("registers nobody until something is written", async () => {
    const fresh = makeMemoryLedger();
    const { journal, locks } = openMemoryJournal({ ledger: fresh });
    const host = await openHost({ ...options(), journal, locks });
    if (!host.ok) throw new Error(host.failure.message);
    await host.value.attempts.list();
    await host.value.policy.show();
    expect(fresh.locks.size).toBe(0);
    expect(await host.value.audit.head()).toEqual({ ok: true, value: null });
    await host.value.policy.set(
      new TextEncoder().encode('{"format":"connectors.policy/1","id":"local","rules":[]}'),
    );
    expect(fresh.locks.size).toBe(1);
    await host.value.close();
    expect(fresh.locks.size).toBe(0);
  });

  test("recovers what dead processes left, once, before anything else", async () => {
    const first = await openRig();
    first.tap.after("gate", never);
    void commit(first, await freeze(first));
    await letRun();
    first.memory.end();
    const second = await openRig({
      ledger: first.ledger,
      ambient: first.ambient,
      provider: first.provider,
      joining: true,
    });
    const listed = await second.host.attempts.list();
    expect(listed.ok && listed.value.map((attempt) => attempt.state)).toEqual(["Indeterminate"]);
    expect(first.provider.seen.dispatches).toEqual([]);
  });
});

describe("closing a host", () => {
  test("waits for what was begun, releases its owner, and may be asked twice", async () => {
    const rig = await openRig();
    let finish = (): void => undefined;
    rig.provider.script.preflight = () =>
      new Promise((resolve) => (finish = () => resolve(succeed(null))));
    const work = commit(rig, await freeze(rig));
    await letRun();
    let closed = false;
    const closing = rig.host.close().then(() => (closed = true));
    await letRun();
    expect(closed).toBe(false);
    finish();
    await closing;
    expect((await work).classification).toBe("applied");
    await rig.host.close();
    expect(rig.ledger.locks.size).toBe(0);
    const view = await rig.memory.journal.query({ kind: "owners", state: "released" });
    expect(view.ok && view.value.owners).toHaveLength(1);
  });

  test("with an attempt that could not be aborted leaves it to the next process", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    rig.tap.before("gate", () => rig.faults.failNextCommit("rolled_back"));
    rig.tap.before("abort", () => rig.faults.failNextCommit("rolled_back"));
    await commit(rig, frozen);
    const prepared = await rig.host.attempts.list({ state: "Prepared" });
    expect(prepared.ok && prepared.value).toHaveLength(1);
    await rig.host.close();
    const next = await openRig({ ...shared(rig), joining: true });
    expect(await (await freeze(next)).observe()).toMatchObject({
      classification: "not_attempted",
      attempt: { state: "Aborted" },
      replayed: true,
    });
  });

  test("leaves nothing that could still write: a commit after it is refused", async () => {
    const rig = await openRig();
    const frozen = await freeze(rig);
    await rig.host.close();
    expect(await commit(rig, frozen)).toMatchObject({
      classification: "not_attempted",
      failure: { code: "lifecycle_conflict" },
    });
    expect(rig.provider.seen.dispatches).toEqual([]);
  });
});

function shared({
  ledger,
  ambient,
  provider,
}: HostRig): Pick<HostRig, "ledger" | "ambient" | "provider"> {
  return { ledger, ambient, provider };
}

describe("a read", () => {
  const get = {
    adapter: "prod",
    operation: "thing.get",
    input: { namespace: "web", name: "api" },
  };

  test("gives what the provider has, with one captured connection that is let go", async () => {
    const rig = await openRig();
    const read = await rig.host.read({ ...get, signal: patience() });
    expect(read).toEqual({ ok: true, value: { changed: "api" } });
    expect(rig.provider.seen).toMatchObject({ captures: 1, reads: 1, disposals: 1 });
    expect(rig.ambient.pendingTimers()).toBe(0);
  });

  test("of a write is forbidden, with no request", async () => {
    const rig = await openRig();
    for (const operation of ["thing.change", "thing.run", "thing.remove"]) {
      const read = await rig.host.read({ ...get, operation, signal: patience() });
      expect(codeOf(read)).toBe("forbidden");
    }
    expect(rig.provider.seen).toMatchObject({ describes: 0, captures: 0, reads: 0 });
  });

  test("needs no policy, and the adapter's configuration", async () => {
    const rig = await openRig({ joining: true });
    expect(codeOf(await rig.host.read({ ...get, signal: patience() }))).toBe("ok");
    const elsewhere = { ...get, input: { namespace: "db", name: "api" } };
    expect(codeOf(await rig.host.read({ ...elsewhere, signal: patience() }))).toBe("forbidden");
    expect(rig.provider.seen.captures).toBe(1);
  });

  test("of another revision is stale, and of bad or large input refused", async () => {
    const rig = await openRig();
    const signal = patience();
    const stale = await rig.host.read({ ...get, revision: "0".repeat(64), signal });
    expect(codeOf(stale)).toBe("stale_description");
    expect(codeOf(await rig.host.read({ ...get, input: {}, signal }))).toBe("invalid_input");
    const large = { ...get.input, pad: "x".repeat(5000) };
    expect(codeOf(await rig.host.read({ ...get, input: large, signal }))).toBe("capacity");
  });

  test("through a connection that leads elsewhere, or as someone else, is identity_mismatch", async () => {
    const { username: _, ...place } = scriptedPlace;
    const rig = await openRig();
    const { describe: where } = rig.provider.script;
    rig.provider.script.describe = () =>
      Promise.resolve(succeed({ ...place, tls_name: "localhost" }));
    expect(codeOf(await rig.host.read({ ...get, signal: patience() }))).toBe("identity_mismatch");
    expect(rig.provider.seen.captures).toBe(0);
    rig.provider.script.describe = where;
    rig.provider.script.review = () => Promise.resolve(succeed("system:admin"));
    expect(codeOf(await rig.host.read({ ...get, signal: patience() }))).toBe("identity_mismatch");
    expect(rig.provider.seen).toMatchObject({ reads: 0, disposals: 1 });
  });

  test("ends at its deadline or when it is stopped, wherever it hangs", async () => {
    for (const point of ["review", "read"] as const) {
      const rig = await openRig();
      const hang = (): Promise<never> => never();
      rig.provider.script[point] = hang;
      const read = rig.host.read({ ...get, signal: patience() });
      expect(codeOf(await passTimeUntil(rig.ambient, read))).toBe("timeout");
      const controller = new AbortController();
      const stopped = rig.host.read({ ...get, signal: controller.signal });
      await letRun();
      controller.abort();
      expect(codeOf(await stopped)).toBe("interrupted");
    }
  });

  test("whose answer is not what is declared is upstream_protocol, or capacity", async () => {
    const rig = await openRig();
    rig.provider.script.read = () => Promise.resolve(succeed({ unchanged: "api" }));
    expect(codeOf(await rig.host.read({ ...get, signal: patience() }))).toBe("upstream_protocol");
    rig.provider.script.read = () => Promise.resolve(succeed({ changed: "x".repeat(5000) }));
    expect(codeOf(await rig.host.read({ ...get, signal: patience() }))).toBe("capacity");
    rig.provider.script.read = () => Promise.resolve(fail("not_found", "No such thing."));
    expect(codeOf(await rig.host.read({ ...get, signal: patience() }))).toBe("not_found");
  });
});

describe("the ledger's attempts", () => {
  test("are listed newest first, by state, operation and time, a page at a time", async () => {
    const rig = await openRig();
    const ids: string[] = [];
    for (const key of ["a", "b", "c"]) {
      const answer = await commit(rig, await freeze(rig, { key }));
      ids.unshift(answer.attempt?.id ?? "");
      rig.ambient.advance(1000);
    }
    const run = await commit(rig, await freeze(rig, runRequest));
    const idsOf = async (filter: object): Promise<readonly string[]> => {
      const listed = await rig.host.attempts.list(filter);
      if (!listed.ok) throw new Error(listed.failure.message);
      return listed.value.map((attempt) => attempt.id);
    };
    expect(await idsOf({})).toEqual([run.attempt?.id, ...ids]);
    expect(await idsOf({ operation: "thing.change", limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ operation: "thing.change", before: ids[1] })).toEqual(ids.slice(2));
    expect(await idsOf({ state: "Aborted" })).toEqual([]);
    expect(await idsOf({ sinceMs: rig.ambient.clock.nowMs() })).toEqual([run.attempt?.id]);
  });

  test("are not found by a filter that means nothing", async () => {
    const { attempts } = (await openRig()).host;
    for (const filter of [
      { state: "Done" },
      { operation: "no such" },
      { before: "yesterday" },
      { sinceMs: -1 },
      { limit: 0 },
      { limit: 1001 },
      { limit: 1.5 },
    ]) {
      expect(codeOf(await attempts.list(filter))).toBe("invalid_input");
    }
    expect(codeOf(await attempts.show("nonsense"))).toBe("invalid_input");
    const missing = "01900000-0000-7000-8000-000000000000";
    expect(codeOf(await attempts.show(missing))).toBe("not_found");
    expect(codeOf(await attempts.annotate(missing, "hello"))).toBe("not_found");
  });

  test("that are unknown are explained by where to look, and others by what is known", async () => {
    const rig = await openRig();
    const known = await commit(rig, await freeze(rig));
    const explained = await rig.host.attempts.explain(known.attempt?.id ?? "");
    expect(explained).toMatchObject({
      ok: true,
      value: { classification: "applied", reads: [], auditId: known.attempt?.id },
    });
    rig.provider.script.settle = () => Promise.reject(new Error("boom"));
    const unknown = await commit(rig, await freeze(rig, { key: "key-2" }));
    const where = await rig.host.attempts.explain(unknown.attempt?.id ?? "");
    expect(where).toMatchObject({
      ok: true,
      value: {
        classification: "unknown",
        reads: ["prod/thing.get"],
        auditId: unknown.attempt?.id,
      },
    });
    const refused = await freeze(rig, { key: "key-3" });
    rig.tap.before("gate", () => rig.faults.failNextCommit("rolled_back"));
    const unsent = await commit(rig, refused);
    expect(await rig.host.attempts.explain(unsent.attempt?.id ?? "")).toMatchObject({
      ok: true,
      value: { classification: "not_attempted", auditId: null },
    });
  });

  test("take evidence within its bound, which reclassifies nothing", async () => {
    const rig = await openRig();
    rig.provider.script.settle = () => Promise.reject(new Error("boom"));
    const answer = await commit(rig, await freeze(rig));
    const id = answer.attempt?.id ?? "";
    const { attempts } = rig.host;
    expect(codeOf(await attempts.annotate(id, "The generation moved."))).toBe("ok");
    expect(codeOf(await attempts.annotate(id, ""))).toBe("invalid_input");
    expect(codeOf(await attempts.annotate(id, "x".repeat(annotationBytesMax)))).toBe("ok");
    expect(codeOf(await attempts.annotate(id, "x".repeat(annotationBytesMax + 1)))).toBe(
      "invalid_input",
    );
    const shown = await attempts.show(id);
    expect(shown.ok && shown.value.observations.map(({ by }) => by)).toEqual(["os:ada", "os:ada"]);
    expect(shown.ok && shown.value.attempt.state).toBe("Indeterminate");
  });
});

describe("the policy", () => {
  test("counts its revisions up, and each of them voids the proofs before it", async () => {
    const rig = await openRig();
    const shown = await rig.host.policy.show();
    expect(shown.ok && shown.value?.revision).toBe(1);
    const frozen = await freeze(rig);
    const proof = rig.prove(frozen);
    const set = await rig.host.policy.set(rigPolicy());
    expect(set.ok && set.value.revision).toBe(2);
    expect(await frozen.commit({ proof, signal: patience() })).toMatchObject({
      failure: { code: "approval_refused", reason: "policy_changed" },
    });
  });

  test("is not replaced by one that cannot be read, or whose rules could never match", async () => {
    const rig = await openRig();
    const { policy } = rig.host;
    expect(codeOf(await policy.set(new Uint8Array()))).toBe("invalid_input");
    const rule = {
      callers: ["os:ada"],
      adapters: ["prod"],
      operation: "thing.change",
      namespaces: ["web"],
      names: ["*"],
      commands: "any",
      approvers: ["ada"],
      self_approval: "allowed",
    };
    const { commands: _, ...silent } = { ...rule, operation: "thing.run" };
    expect(codeOf(await policy.set(rigPolicy({ rules: [rule] })))).toBe("invalid_input");
    expect(codeOf(await policy.set(rigPolicy({ rules: [silent] })))).toBe("invalid_input");
    const later = { ...rule, adapters: ["staging"] };
    expect(codeOf(await policy.set(rigPolicy({ rules: [later] })))).toBe("ok");
  });

  test("replaced by two at once is replaced by one", async () => {
    const rig = await openRig();
    const second = await openRig({ ...shared(rig), joining: true });
    const outcomes = await Promise.all([
      rig.host.policy.set(rigPolicy({ id: "one" })),
      second.host.policy.set(rigPolicy({ id: "two" })),
    ]);
    expect(outcomes.map(codeOf).toSorted()).toEqual(["lifecycle_conflict", "ok"]);
  });

  test("is tested with a prepared file: which rule allows, what each other one misses", async () => {
    const rig = await openRig();
    const { preparedBytes } = await freeze(rig);
    const allowed = await rig.host.policy.test(preparedBytes);
    expect(allowed.ok && allowed.value).toMatchObject({ current: true });
    expect(allowed.ok && allowed.value.explanation.rules.map((r) => r.unmatched)).toEqual([
      [],
      ["operation", "commands"],
      ["operation"],
    ]);
    await rig.host.policy.set(rigPolicy({ rules: [] }));
    expect(await rig.host.policy.test(preparedBytes)).toMatchObject({
      ok: true,
      value: { current: false, explanation: { allowed: false, rules: [] } },
    });
    expect(codeOf(await rig.host.policy.test(new Uint8Array()))).toBe("invalid_input");
  });
});

describe("the approvers' table", () => {
  const { publicKey } = makeSigningKey(makeManualAmbient({ seed: 31 }).random);
  const bob = { name: "bob", publicKey, operations: ["thing.change"], adapters: ["prod"] };

  test("takes an approver's key once, under its thumbprint", async () => {
    const { approvers } = (await openRig()).host;
    const added = await approvers.add(bob);
    expect(added.ok && added.value).toMatchObject({ name: "bob", state: "active" });
    expect(codeOf(await approvers.add(bob))).toBe("lifecycle_conflict");
    const listed = await approvers.list();
    expect(listed.ok && listed.value.map(({ name }) => name)).toEqual(["ada", "bob"]);
  });

  test("takes no key that is none, and no row without rights", async () => {
    const { approvers } = (await openRig()).host;
    const weak = Buffer.from("01".padEnd(64, "0"), "hex").toString("base64url");
    for (const members of [
      { publicKey: "nonsense" },
      { publicKey: weak },
      { name: "Bob!" },
      { operations: [] },
      { adapters: [] },
    ]) {
      expect(codeOf(await approvers.add({ ...bob, ...members }))).toBe("invalid_input");
    }
  });

  test("moves a key from active to retired to revoked, and never back", async () => {
    const { approvers } = (await openRig()).host;
    const { kid } = rigKey;
    expect(codeOf(await approvers.retire(kid))).toBe("ok");
    expect(codeOf(await approvers.retire(kid))).toBe("lifecycle_conflict");
    expect(codeOf(await approvers.revoke(kid))).toBe("ok");
    expect(codeOf(await approvers.revoke(kid))).toBe("lifecycle_conflict");
    expect(codeOf(await approvers.retire(kid))).toBe("lifecycle_conflict");
    expect(codeOf(await approvers.revoke("nobody"))).toBe("not_found");
  });

  test("rotates a key without refusing what it signed before, and nothing that it signs later", async () => {
    const rig = await openRig();
    const before = await freeze(rig, { key: "before" });
    const proof = rig.prove(before);
    const next = makeSigningKey(makeManualAmbient({ seed: 32 }).random);
    rig.ambient.advance(10_000);
    expect(codeOf(await rig.host.approvers.rotate(rigKey.kid, next.publicKey))).toBe("ok");
    const honest = await before.commit({ proof, signal: patience() });
    expect(honest.classification).toBe("applied");
    const later = await freeze(rig, { key: "later" });
    rig.ambient.advance(10_000);
    expect(await later.commit({ proof: rig.prove(later), signal: patience() })).toMatchObject({
      failure: { code: "approval_refused", reason: "revoked_key" },
    });
    const renewed = signProof({
      key: next,
      approver: trusted(parseName("ada"), "a name"),
      subject: later.subject,
      subjectSha256: later.subjectSha256,
      nowMs: rig.ambient.clock.nowMs(),
      random: rig.ambient.random,
    });
    expect(await later.commit({ proof: renewed, signal: patience() })).toMatchObject({
      failure: { code: "lifecycle_conflict" },
    });
    const fresh = await rig.host.openPrepared(later.preparedBytes);
    if (!fresh.ok) throw new Error(fresh.failure.message);
    expect(await fresh.value.commit({ proof: renewed, signal: patience() })).toMatchObject({
      classification: "applied",
    });
  });
});

test("a host lists what it can do, and says how full its store is", async () => {
  const { host } = await openRig();
  expect(host.operations().map(({ declaration, write }) => [declaration.id, write])).toEqual([
    ["thing.change", true],
    ["thing.run", true],
    ["thing.poke", true],
    ["thing.get", false],
  ]);
  expect(await host.health()).toMatchObject({ ok: true, value: { attempts: 0, owners_live: 1 } });
});
