import {
  parseAttemptId,
  parseAudience,
  parseCaller,
  type JournalHealth,
  type Kid,
  type OperationDeclaration,
  type Separation,
  type Sha256,
} from "@connectors/domain";
import { fail, succeed, type Ambient, type JsonObject, type Outcome } from "@connectors/sdk";
import {
  installAdapters,
  isWrite,
  type AdapterRegistration,
} from "../adapters/installed-adapter.js";
import { freezeWrite, openPrepared, type FreezeRequest } from "../freeze/freeze-write.js";
import { trusted } from "../identity/trusted.js";
import { makeUuidV7 } from "../identity/uuid-v7.js";
import type { Journal, OwnerLocks } from "../journal/journal.js";
import { recoverOneOwner, recoverOwners, type RecoveryReport } from "../recovery/recover-owners.js";
import { makeFlights, type Flight } from "../write/flights.js";
import { makeRefusalLog } from "../write/refusal-log.js";
import { makeApproversDesk, type ApproversDesk } from "./approvers-desk.js";
import { makeAttemptsDesk, type AttemptsDesk } from "./attempts-desk.js";
import { makeAuditDesk, type AuditDesk } from "./audit-desk.js";
import { makeFrozenWrite, type FrozenWrite } from "./frozen-handle.js";
import { freezeScopeOf, recoveryOf, type HostScope } from "./host-scope.js";
import { makeLazyOwnership, type LazyOwnership } from "./lazy-ownership.js";
import { makePolicyDesk, type PolicyDesk } from "./policy-desk.js";
import { readOperation, type ReadRequest } from "./read-operation.js";
import { makeWork } from "./work.js";

/** What a host is opened with. Journal and locks stay the opener's, to be closed after it. */
export interface HostOptions {
  readonly journal: Journal;
  readonly locks: OwnerLocks;
  readonly adapters: readonly AdapterRegistration[];
  readonly ambient: Ambient;
  /** The host's id, for which proofs are signed. */
  readonly audience: string;
  /** Who asks, such as `os:ada`; known from the process, never from its environment. */
  readonly caller: string;
  /** How far the holder of this key is from here; told in every answer that an approval has. */
  separationOf(kid: Kid): Promise<Separation>;
  /** The process, for people who look at the owners' table. */
  readonly pid: number;
}

/** An operation as a host advertises it. */
export interface OperationListing {
  readonly adapter: string;
  readonly kind: string;
  readonly declaration: OperationDeclaration;
  readonly revision: Sha256;
  readonly write: boolean;
}

/** The one place through which writes go. */
export interface Host {
  /** Step 1: freezes one exact effect. No request leaves. */
  freezeWrite(request: FreezeRequest): Promise<Outcome<FrozenWrite>>;
  /** The frozen write of a prepared file that this host made, frozen again and compared. */
  openPrepared(bytes: Uint8Array): Promise<Outcome<FrozenWrite>>;
  read(request: ReadRequest): Promise<Outcome<JsonObject>>;
  operations(): readonly OperationListing[];
  readonly attempts: AttemptsDesk;
  readonly audit: AuditDesk;
  readonly policy: PolicyDesk;
  readonly approvers: ApproversDesk;
  health(): Promise<Outcome<JournalHealth>>;
  /** Closes what processes that are proved dead left open. */
  recover(): Promise<Outcome<RecoveryReport>>;
  /** What was sent, or is about to be, and is not settled. */
  inFlight(): readonly Flight[];
  /** Resolves when every commit that was begun has ended, waited for or not. */
  settled(): Promise<void>;
  /** Settles, then ends this process's ownership. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens a host: every adapter whole, and what dead processes left open closed. This process is
 * registered as an owner with its first write.
 */
export async function openHost(options: HostOptions): Promise<Outcome<Host>> {
  const scope = makeScope(options);
  if (!scope.ok) return scope;
  const { host, ownership } = scope.value;
  const recovered = await recoverOwners(recoveryOf(host));
  if (!recovered.ok) {
    await ownership.release();
    return recovered;
  }
  return succeed(makeHost(host, ownership));
}

function makeScope(
  options: HostOptions,
): Outcome<{ readonly host: HostScope; readonly ownership: LazyOwnership }> {
  const { locks, ambient } = options;
  const audience = parseAudience(options.audience);
  if (!audience.ok) return fail("invalid_input", "The host's id is not one.");
  const caller = parseCaller(options.caller);
  if (!caller.ok) return fail("invalid_input", "The caller's name is not one.");
  const adapters = installAdapters(options.adapters);
  if (!adapters.ok) return adapters;
  const nextId = makeUuidV7(ambient.clock, ambient.random);
  const owner = nextId();
  const own = { journal: options.journal, locks, ambient, owner, caller: caller.value };
  const ownership = makeLazyOwnership(own, options.pid);
  const { journal } = ownership;
  const recovery = recoveryOf({ journal, locks, ambient, owner });
  const host: HostScope = {
    journal,
    locks,
    ambient,
    owner,
    audience: audience.value,
    caller: caller.value,
    adapters: adapters.value,
    separationOf: (kid) => options.separationOf(kid),
    newAttemptId: () => trusted(parseAttemptId(nextId()), "a UUIDv7 is an attempt's id"),
    recoverOwner: (nonce) => recoverOneOwner(recovery, nonce),
    refusals: makeRefusalLog(journal, ambient),
    flights: makeFlights(ambient.clock),
    work: makeWork(),
  };
  return succeed({ host, ownership });
}

function makeHost(scope: HostScope, ownership: LazyOwnership): Host {
  const freezing = freezeScopeOf(scope);
  return {
    async freezeWrite(request) {
      const frozen = await freezeWrite(request, freezing);
      return frozen.ok ? succeed(makeFrozenWrite(frozen.value, scope)) : frozen;
    },
    async openPrepared(bytes) {
      const frozen = await openPrepared(bytes, freezing);
      return frozen.ok ? succeed(makeFrozenWrite(frozen.value, scope)) : frozen;
    },
    read: (request) => scope.work.track(readOperation(request, scope)),
    operations: () => listOperations(scope),
    attempts: makeAttemptsDesk(scope),
    audit: makeAuditDesk(scope),
    policy: makePolicyDesk(scope),
    approvers: makeApproversDesk(scope),
    async health() {
      const view = await scope.journal.query({ kind: "health" });
      return view.ok ? succeed(view.value.health) : view;
    },
    recover: () => recoverOwners(recoveryOf(scope)),
    inFlight: () => scope.flights.list(),
    settled: () => scope.work.settled(),
    async close() {
      await scope.work.settled();
      await scope.refusals.flush();
      await ownership.release();
    },
  };
}

function listOperations(scope: HostScope): readonly OperationListing[] {
  return [...scope.adapters.values()].flatMap((adapter) =>
    [...adapter.operations.values()].map(({ declaration, revision }) => {
      const write = isWrite(declaration);
      return { adapter: adapter.name, kind: adapter.kind, declaration, revision, write };
    }),
  );
}
