import type {
  Attempt,
  AttemptId,
  Audience,
  AuditDraft,
  AuditKind,
  Caller,
  Kid,
  Separation,
} from "@connectors/domain";
import type { Ambient, CapturedConnection, PreparedWrite } from "@connectors/sdk";
import type { Frozen } from "../freeze/frozen-write.js";
import type { Journal } from "../journal/journal.js";
import { makeDraft, type DraftFacts } from "../audit/audit-draft.js";
import type { Flights } from "./flights.js";
import type { RefusalLog } from "./refusal-log.js";
import type { Stop } from "./stop.js";

/** What every write of one host shares. */
export interface WriteScope {
  readonly journal: Journal;
  readonly ambient: Ambient;
  /** The nonce under which this process is registered: the fence of its attempts. */
  readonly owner: string;
  readonly audience: Audience;
  readonly caller: Caller;
  /** How far the holder of this key is from this host. */
  separationOf(kid: Kid): Promise<Separation>;
  newAttemptId(): AttemptId;
  /** Closes what this owner left open, if it is proved dead. */
  recoverOwner(nonce: string): Promise<void>;
  readonly refusals: RefusalLog;
  readonly flights: Flights;
}

/** One commit, or one look, of one frozen write. */
export interface WriteRun {
  readonly scope: WriteScope;
  readonly frozen: Frozen;
  readonly jws: string | null;
  readonly stop: Stop;
  /** What steps hold open for later ones; let go of at the end, whatever that is. */
  readonly held: {
    captured: CapturedConnection | null;
    prepared: PreparedWrite | null;
  };
}

/** A draft of an audit record about this write; `facts` says what its step knows besides. */
export function draftOf(run: WriteRun, kind: AuditKind, facts: DraftFacts = {}): AuditDraft {
  const { scope, frozen } = run;
  const { target, authority } = frozen.subject;
  return makeDraft(
    kind,
    { ...scope, clock: scope.ambient.clock },
    {
      instance: target.instance,
      operation: target.operation,
      subject_sha256: frozen.subjectSha256,
      policy_revision: authority.policy.revision,
      ...facts,
    },
  );
}

/** {@link draftOf} for a record about an attempt of this write. */
export function draftOfAttempt(
  run: WriteRun,
  kind: AuditKind,
  attempt: Attempt,
  facts: DraftFacts = {},
): AuditDraft {
  const { id, anchor, approver, reference } = attempt;
  return draftOf(run, kind, { attempt: id, anchor, approver, reference, ...facts });
}
