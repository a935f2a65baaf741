import {
  isAttemptTerminal,
  pageMax,
  type Attempt,
  type AttemptId,
  type JournalHealth,
  type JournalQuery,
  type JournalQueryAttempts,
  type JournalQueryAudit,
  type JournalView,
  type KeyNamespace,
  type Owner,
  type OwnerState,
  type Revision,
  type StoredPolicy,
} from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { toCounter, toTimeMs } from "./measure.js";
import { readHead, type MemoryTables } from "./memory-tables.js";

/** The view that one read asks for; `invalid_input` for a page of no rows, or of too many. */
export function readView(tables: MemoryTables, query: JournalQuery): Outcome<JournalView> {
  if ("limit" in query && !isPageSize(query.limit)) {
    return fail("invalid_input", `A page has 1 to ${pageMax} rows.`);
  }
  return succeed(findView(tables, query));
}

function isPageSize(limit: number): boolean {
  return Number.isSafeInteger(limit) && limit >= 1 && limit <= pageMax;
}

function findView(tables: MemoryTables, query: JournalQuery): JournalView {
  switch (query.kind) {
    case "key":
      return { kind: "key", ...findKey(tables, query.namespace) };
    case "attempt":
      return { kind: "attempt", attempt: tables.attempts.get(query.id) ?? null };
    case "attempts":
      return { kind: "attempts", attempts: listAttempts(tables, query) };
    case "observations":
      return { kind: "observations", observations: tables.observations.get(query.attempt) ?? [] };
    case "policy":
      return { kind: "policy", policy: findPolicy(tables, query.revision) };
    case "approvers":
      return { kind: "approvers", approvers: [...tables.approvers.values()] };
    case "owners":
      return { kind: "owners", owners: listOwners(tables, query.state) };
    case "audit":
      return { kind: "audit", ...listAudit(tables, query) };
    case "health":
      return { kind: "health", health: readHealth(tables) };
  }
}

function findKey(
  tables: MemoryTables,
  namespace: KeyNamespace,
): Pick<Extract<JournalView, { kind: "key" }>, "reservation" | "attempt"> {
  const reservation = tables.reservations.get(namespace) ?? null;
  const attempt = reservation === null ? undefined : tables.attempts.get(reservation.attempt);
  return { reservation, attempt: attempt ?? null };
}

function listAttempts(tables: MemoryTables, query: JournalQueryAttempts): readonly Attempt[] {
  const page: Attempt[] = [];
  for (let at = tables.attemptIds.length - 1; at >= 0 && page.length < query.limit; at -= 1) {
    const attempt = findAttempt(tables, tables.attemptIds[at]);
    if (attempt !== undefined && isSelected(attempt, query)) page.push(attempt);
  }
  return page;
}

function findAttempt(tables: MemoryTables, id: AttemptId | undefined): Attempt | undefined {
  return id === undefined ? undefined : tables.attempts.get(id);
}

function isSelected(attempt: Attempt, query: JournalQueryAttempts): boolean {
  return (
    (query.before === null || attempt.id < query.before) &&
    (query.state === null || attempt.state === query.state) &&
    (query.operation === null || attempt.operation === query.operation) &&
    (query.since_ms === null || attempt.created_at_ms >= query.since_ms)
  );
}

function findPolicy(tables: MemoryTables, revision: Revision | null): StoredPolicy | null {
  if (revision === null) return tables.policies.at(-1) ?? null;
  return tables.policies.find((policy) => policy.revision === revision) ?? null;
}

function listOwners(tables: MemoryTables, state: OwnerState | null): readonly Owner[] {
  const all = [...tables.owners.values()].toReversed();
  return all.filter((owner) => state === null || owner.state === state).slice(0, pageMax);
}

function listAudit(
  tables: MemoryTables,
  query: JournalQueryAudit,
): Pick<Extract<JournalView, { kind: "audit" }>, "records" | "head"> {
  const first = tables.audit[0]?.record.sequence ?? 0;
  const start = Math.max(0, query.from - first);
  const page = tables.audit.slice(start, start + query.limit);
  return { records: page.map((entry) => entry.record), head: readHead(tables) };
}

function readHealth(tables: MemoryTables): JournalHealth {
  let unsettled = 0;
  for (const attempt of tables.attempts.values()) {
    if (!isAttemptTerminal(attempt.state)) unsettled += 1;
  }
  const live = [...tables.owners.values()].filter((owner) => owner.state === "live");
  return {
    attempts: toCounter(tables.attempts.size),
    unsettled: toCounter(unsettled),
    audit_records: toCounter(tables.audit.length),
    owners_live: toCounter(live.length),
    floor_ms: toTimeMs(tables.floorMs),
    // A change in memory is never half known.
    poisoned: false,
    engine: "memory",
  };
}
