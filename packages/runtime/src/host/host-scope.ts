import type { AuditKind, AuditDraft } from "@connectors/domain";
import { makeDraft, type DraftFacts } from "../audit/audit-draft.js";
import type { InstalledAdapters } from "../adapters/installed-adapter.js";
import type { FreezeScope } from "../freeze/freeze-write.js";
import type { OwnerLocks } from "../journal/journal.js";
import type { RecoveryOptions } from "../recovery/recover-owners.js";
import type { WriteScope } from "../write/write-run.js";
import { journalBusyMsMax } from "@connectors/domain";
import type { Work } from "./work.js";

/** What the parts of an open host share. */
export interface HostScope extends WriteScope {
  readonly adapters: InstalledAdapters;
  readonly locks: OwnerLocks;
  readonly work: Work;
}

/** A draft of a record that is about no write. */
export function hostDraft(
  scope: Pick<HostScope, "ambient" | "owner" | "caller">,
  kind: AuditKind,
  facts: DraftFacts = {},
): AuditDraft {
  return makeDraft(kind, { ...scope, clock: scope.ambient.clock }, facts);
}

/** What freezing looks at, of a host. */
export function freezeScopeOf(scope: HostScope): FreezeScope {
  const { adapters, journal, ambient, audience, caller } = scope;
  return { adapters, journal, clock: ambient.clock, audience, caller };
}

/** What recovery works with, of a host. */
export function recoveryOf(
  scope: Pick<HostScope, "journal" | "locks" | "ambient" | "owner">,
): RecoveryOptions {
  const { journal, locks, ambient, owner } = scope;
  return { journal, locks, clock: ambient.clock, self: owner, deadlineMs: journalBusyMsMax };
}
