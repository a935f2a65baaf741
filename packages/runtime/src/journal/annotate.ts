import type { JournalRequestAnnotate } from "@connectors/domain";
import { describeAttempt } from "./attempt-facts.js";
import { decideWithRecord } from "./chained-decision.js";
import { floorTime } from "./floored-time.js";
import type { JournalLimits } from "./limits.js";
import { digestOf, toCounter } from "./measure.js";
import { refuse } from "./refusal.js";
import type { Decision, Rows } from "./rows.js";

/** Attaches evidence to an attempt; whatever it says, no state and no classification moves. */
export function decideAnnotate(
  request: JournalRequestAnnotate,
  rows: Rows,
  limits: JournalLimits,
): Decision {
  const { attempt } = rows;
  if (rows.owner?.state !== "live") return refuse("lifecycle_conflict");
  // A person typed this id; unlike at the gate, no one has seen it recorded.
  if (attempt === null) return refuse("not_found");
  if (rows.observationCount >= limits.observationsMax) return refuse("capacity");
  if (rows.auditCount >= limits.auditRecordsMax) return refuse("capacity");
  const time = floorTime(rows, request.observation.at_ms, limits);
  const observation = {
    ...request.observation,
    ordinal: toCounter(rows.observationCount),
    at_ms: time.nowMs,
  };
  const facts = {
    ...describeAttempt(attempt),
    kind: "annotation",
    owner: request.draft.owner,
    caller: observation.by,
    detail_sha256: digestOf(observation.text),
  } as const;
  return decideWithRecord(rows, time, request.draft, facts, (audit) => ({
    answer: { kind: "done", audit },
    writes: [{ kind: "insert_observation", observation }],
  }));
}
