import {
  decideAttemptObservation,
  journalBusyMsMax,
  pageMax,
  parseAttemptId,
  parseAttemptState,
  parseObservation,
  parseOperationId,
  parseTimeMs,
  type Attempt,
  type AttemptId,
  type AuditPosition,
  type Classification,
  type JournalQueryAttempts,
  type Observation,
  type Parsed,
} from "@connectors/domain";
import { fail, failWith, succeed, type Outcome } from "@connectors/sdk";
import { describeJournalFailure, describeRefusal } from "../write/journal-refusal.js";
import { listReads } from "../write/unknown-hint.js";
import { hostDraft, type HostScope } from "./host-scope.js";

/** Which attempts to list; newest first. */
export interface AttemptFilter {
  readonly state?: string;
  readonly operation?: string;
  readonly sinceMs?: number;
  /** Only those older than this attempt: the last one of the page before. */
  readonly before?: string;
  readonly limit?: number;
}

/** An attempt, and the evidence that people attached to it. */
export interface AttemptRecord {
  readonly attempt: Attempt;
  readonly observations: readonly Observation[];
}

/** What is known of an attempt's effect, and where to look when that is nothing. */
export interface AttemptExplanation extends AttemptRecord {
  readonly classification: Classification;
  /** Reads of its adapter, as `ADAPTER/OPERATION`; empty when the outcome is known. */
  readonly reads: readonly string[];
  /** What the provider's own audit log has it under, if it was sent; null when it never was. */
  readonly auditId: AttemptId | null;
}

/** The ledger's attempts. */
export interface AttemptsDesk {
  list(filter?: AttemptFilter): Promise<Outcome<readonly Attempt[]>>;
  show(id: string): Promise<Outcome<AttemptRecord>>;
  explain(id: string): Promise<Outcome<AttemptExplanation>>;
  /** Attaches evidence; changes no state and no classification. */
  annotate(id: string, text: string): Promise<Outcome<AuditPosition>>;
}

/** The attempts of this host's ledger. */
export function makeAttemptsDesk(scope: HostScope): AttemptsDesk {
  async function show(id: string): Promise<Outcome<AttemptRecord>> {
    const parsed = parseAttemptId(id);
    if (!parsed.ok) return fail("invalid_input", "An attempt's id is a UUID.");
    const found = await scope.journal.query({ kind: "attempt", id: parsed.value });
    if (!found.ok) return found;
    const { attempt } = found.value;
    if (attempt === null) {
      return fail("not_found", "The ledger has no attempt of that id.", {
        hint: "`connectors attempts list` shows the ids.",
      });
    }
    const view = await scope.journal.query({ kind: "observations", attempt: parsed.value });
    if (!view.ok) return view;
    return succeed({ attempt, observations: view.value.observations });
  }

  return {
    async list(filter = {}) {
      const query = readFilter(filter);
      if (!query.ok) return query;
      const view = await scope.journal.query(query.value);
      return view.ok ? succeed(view.value.attempts) : view;
    },
    show,
    async explain(id) {
      const shown = await show(id);
      return shown.ok ? succeed(explain(shown.value, scope)) : shown;
    },
    async annotate(id, text) {
      const observation = parseObservation({
        attempt: id,
        ordinal: 0,
        at_ms: scope.ambient.clock.nowMs(),
        by: scope.caller,
        text,
      });
      if (!observation.ok) return fail("invalid_input", "The attempt's id or the text is not one.");
      const draft = hostDraft(scope, "annotation", { attempt: observation.value.attempt });
      const done = await scope.journal.transact(
        { kind: "annotate", observation: observation.value, draft },
        { deadlineMs: journalBusyMsMax },
      );
      if (!done.ok) return failWith(describeJournalFailure(done.failure));
      return done.value.kind === "done"
        ? succeed(done.value.audit)
        : failWith(describeRefusal(done.value));
    },
  };
}

function explain(record: AttemptRecord, scope: HostScope): AttemptExplanation {
  const { attempt } = record;
  const { kind: classification } = decideAttemptObservation({ state: attempt.state });
  const adapter = scope.adapters.get(attempt.instance);
  const unknown = classification === "unknown";
  const reads = unknown && adapter !== undefined ? listReads(adapter) : [];
  return {
    ...record,
    classification,
    reads: reads.map((read) => `${attempt.instance}/${read}`),
    auditId: attempt.dispatched_at_ms === null ? null : attempt.id,
  };
}

function readFilter(filter: AttemptFilter): Outcome<JournalQueryAttempts> {
  const state = readPart(filter.state, parseAttemptState);
  const operation = readPart(filter.operation, parseOperationId);
  const since = readPart(filter.sinceMs, parseTimeMs);
  const before = readPart(filter.before, parseAttemptId);
  if (state === undefined || operation === undefined) {
    return fail("invalid_input", "The filter's state or operation is none that there is.");
  }
  if (since === undefined || before === undefined) {
    return fail("invalid_input", "The filter's time or attempt is not one.");
  }
  const limit = filter.limit ?? pageMax;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > pageMax) {
    return fail("invalid_input", `A page has 1 to ${pageMax} attempts.`);
  }
  return succeed({ kind: "attempts", state, operation, since_ms: since, before, limit });
}

// Absent is null; undefined is what does not parse.
function readPart<T>(
  value: string | number | undefined,
  parse: (value: unknown) => Parsed<T>,
): T | null | undefined {
  if (value === undefined) return null;
  const parsed = parse(value);
  return parsed.ok ? parsed.value : undefined;
}
