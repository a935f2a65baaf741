import { parseName, type WriteAnswer } from "@connectors/domain";
import type { Proof } from "@connectors/sdk";
import { makeManualAmbient, type ManualAmbient } from "@connectors/sdk/testing";
import { signProof } from "../approvals/sign-proof.js";
import { makeSigningKey, type SigningKey } from "../approvals/signing-key.js";
import type { FrozenWrite } from "../host/frozen-handle.js";
import { openHost, type Host, type HostOptions } from "../host/host.js";
import { trusted } from "../identity/trusted.js";
import type { JournalLimits } from "../journal/limits.js";
import {
  makeMemoryLedger,
  openMemoryJournal,
  type MemoryJournal,
  type MemoryLedger,
} from "../journal/memory-journal.js";
import { makeFaultyJournal, type FaultyJournal } from "./journal-faults.js";
import { tapJournal, type JournalTap } from "./journal-tap.js";
import { sampleAudience } from "./sample-subject.js";
import { makeScriptedProvider, type ScriptedProvider } from "./scripted-provider.js";

/** One open host over a ledger in memory, and everything around it that a test may move. */
export interface HostRig {
  readonly host: Host;
  readonly provider: ScriptedProvider;
  readonly ambient: ManualAmbient;
  readonly ledger: MemoryLedger;
  readonly memory: MemoryJournal;
  readonly faults: FaultyJournal;
  readonly tap: JournalTap;
  readonly key: SigningKey;
  /** A proof of this write by the rig's approver, now. */
  prove(frozen: Pick<FrozenWrite, "subject" | "subjectSha256">, by?: SigningKey): Proof;
}

/** What a rig may be given instead of its own. */
export interface RigOptions {
  readonly ledger?: MemoryLedger;
  readonly ambient?: ManualAmbient;
  readonly provider?: ScriptedProvider;
  readonly limits?: JournalLimits;
  readonly host?: Partial<HostOptions>;
  /** Another process of a ledger that has its policy and approver already. */
  readonly joining?: boolean;
}

/** The key of the rig's approver, `ada`. */
export const rigKey: SigningKey = makeSigningKey(makeManualAmbient({ seed: 77 }).random);

/** The bytes of the rig's policy, with some members of its document replaced. */
export function rigPolicy(members: object = {}): Uint8Array {
  const rule = {
    callers: ["os:ada"],
    adapters: ["prod"],
    operation: "thing.change",
    namespaces: ["web"],
    names: ["*"],
    approvers: ["ada"],
    self_approval: "allowed",
  };
  const rules = [
    rule,
    { ...rule, operation: "thing.run", commands: "any" },
    { ...rule, operation: "thing.poke" },
  ];
  const document = { format: "connectors.policy/1", id: "local", rules, ...members };
  return new TextEncoder().encode(JSON.stringify(document));
}

let rigs = 0;

/** Opens a rig: adapter `prod`, caller `os:ada`, a policy that allows her everything in `web`. */
export async function openRig(options: RigOptions = {}): Promise<HostRig> {
  rigs += 1;
  // Each process draws its own chance: equal ids of two processes would prove nothing.
  const ambient = options.ambient ?? makeManualAmbient({ seed: rigs });
  const provider = options.provider ?? makeScriptedProvider();
  const ledger = options.ledger ?? makeMemoryLedger();
  const memory = openMemoryJournal({
    ledger,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const faults = makeFaultyJournal(memory.journal);
  const tap = tapJournal(faults.journal);
  const opened = await openHost({
    journal: tap.journal,
    locks: memory.locks,
    adapters: [provider.registration],
    ambient,
    audience: sampleAudience,
    caller: "os:ada",
    separationOf: () => Promise.resolve("none"),
    pid: rigs,
    ...options.host,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  const host = opened.value;
  if (options.joining !== true) await furnish(host);
  const ada = trusted(parseName("ada"), "a name");
  return {
    host,
    provider,
    ambient,
    ledger,
    memory,
    faults,
    tap,
    key: rigKey,
    prove: ({ subject, subjectSha256 }, by = rigKey) =>
      signProof({
        key: by,
        approver: ada,
        subject,
        subjectSha256,
        nowMs: ambient.clock.nowMs(),
        random: ambient.random,
      }),
  };
}

async function furnish(host: Host): Promise<void> {
  const set = await host.policy.set(rigPolicy());
  if (!set.ok) throw new Error(set.failure.message);
  const { publicKey } = rigKey;
  const approver = { name: "ada", publicKey, operations: ["*"], adapters: ["*"] };
  const added = await host.approvers.add(approver);
  if (!added.ok) throw new Error(added.failure.message);
}

/** Freezes; throws where a test expects it to go well. */
export async function freeze(
  rig: HostRig,
  request: Partial<Parameters<Host["freezeWrite"]>[0]> = {},
): Promise<FrozenWrite> {
  const frozen = await rig.host.freezeWrite({
    adapter: "prod",
    operation: "thing.change",
    input: { namespace: "web", name: "api", to: "blue" },
    key: "key-1",
    ...request,
  });
  if (!frozen.ok) throw new Error(`${frozen.failure.code}: ${frozen.failure.message}`);
  return frozen.value;
}

/** The request of an operation without keys that runs a command. */
export const runRequest = {
  operation: "thing.run",
  input: { namespace: "web", name: "api-0", command: ["id"] },
  key: null,
} as const;

/** A signal that nobody aborts. */
export function patience(): AbortSignal {
  return new AbortController().signal;
}

/** Commits with a proof of the rig's approver. */
export function commit(
  rig: HostRig,
  frozen: FrozenWrite,
  options: Partial<Parameters<FrozenWrite["commit"]>[0]> = {},
): Promise<WriteAnswer> {
  return frozen.commit({ proof: rig.prove(frozen), signal: patience(), ...options });
}

/** Lets time pass, 25 ms at a step, until `work` is done; throws when `limitMs` was not enough. */
export async function passTimeUntil<T>(
  ambient: ManualAmbient,
  work: Promise<T>,
  limitMs: number = 120_000,
): Promise<T> {
  let done = false;
  const end = (): void => {
    done = true;
  };
  void work.then(end, end);
  for (let passedMs = 0; ; passedMs += 25) {
    await letRun();
    if (done) return work;
    if (passedMs >= limitMs) throw new Error(`not done after ${limitMs} ms`);
    ambient.advance(25);
  }
}

/** Lets everything run that waits for no timer. */
export async function letRun(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
