import { parseJournalHealth, type JournalHealth } from "@connectors/domain";
import { invariant } from "@connectors/sdk";
import type { LedgerSummary } from "./known-rows.js";
import { countRows } from "./load-rows.js";
import type { Statements } from "./statements.js";

/** How full the store is, and whether this process may still write it. */
export function describeHealth(
  statements: Statements,
  summary: LedgerSummary,
  poisoned: boolean,
): JournalHealth {
  const version = statements("version").get()?.["version"];
  const health = parseJournalHealth({
    attempts: summary.attemptCount,
    unsettled: countRows(statements("openCount").get(), "open attempts"),
    audit_records: summary.auditCount,
    owners_live: countRows(statements("ownerCount").get("live"), "live owners"),
    floor_ms: summary.floorMs,
    poisoned,
    engine: `sqlite ${typeof version === "string" ? version : "of unknown version"}`,
  });
  invariant(health.ok, "what was counted fits its model");
  return health.value;
}
