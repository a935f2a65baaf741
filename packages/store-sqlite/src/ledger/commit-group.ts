import type { AuditPosition, JournalAnswer, JournalRequest } from "@connectors/domain";
import type { JournalFailure, JournalMachine } from "@connectors/runtime";
import { failWith, makeFailure, succeed, type Failure, type Outcome } from "@connectors/sdk";
import { describeDamage, describeFault } from "../driver/fault-failure.js";
import { readSqlFault, type SqlFault } from "../driver/sql-fault.js";
import { makeKnownRows, noteWrites, type KnownRows } from "./known-rows.js";
import { loadRows, loadSummary } from "./load-rows.js";
import { BrokenRow } from "./row-text.js";
import type { Statements } from "./statements.js";
import { writeRows } from "./write-rows.js";

/** What a group came to; `failed` holds for every request of it. */
export type GroupOutcome =
  | { readonly kind: "busy" }
  | { readonly kind: "done"; readonly results: readonly Outcome<JournalAnswer, JournalFailure>[] }
  | { readonly kind: "failed"; readonly failure: JournalFailure };

/** How far a group came: only an error of COMMIT itself can leave open what is durable. */
type Step = "begin" | "work" | "commit";

/**
 * Runs groups of requests, each group one transaction in which a request that throws costs itself
 * alone. What a group's own failure says of the disk is decided in `explainGroup`.
 *
 * Requests that throw in the middle of their writes are a rarity, and a savepoint costs every
 * request. So a group goes without; when one throws, it is rolled back and goes again with a
 * savepoint a request. Deciding is pure, so the second time it comes to the same.
 */
export function makeGroupCommit(
  statements: Statements,
  machine: JournalMachine,
): (requests: readonly JournalRequest[]) => GroupOutcome {
  let known: KnownRows | undefined;
  let knownVersion: unknown;

  function refresh(): KnownRows {
    const version = statements("dataVersion").get()?.["data_version"];
    if (known === undefined || version !== knownVersion) {
      known = makeKnownRows(loadSummary(statements));
      knownVersion = version;
    }
    return known;
  }

  function runGroup(requests: readonly JournalRequest[], guarded: boolean): GroupOutcome {
    let step: Step = "begin";
    let head: AuditPosition | null = null;
    try {
      statements("begin").run();
      step = "work";
      const rows = refresh();
      head = rows.head;
      const scope = { statements, machine, known: rows, guarded };
      const results = requests.map((request) => runOne(scope, request));
      step = "commit";
      statements("commit").run();
      return { kind: "done", results };
    } catch (error) {
      // What is known may be of rows that were rolled back.
      known = undefined;
      if (error instanceof HalfWritten && rollBack(statements)) return runGroup(requests, true);
      return explainGroup(statements, { step, head, error });
    }
  }

  return (requests) => runGroup(requests, false);
}

/** A request threw in the middle of its writes, and no savepoint can undo them. */
class HalfWritten extends Error {
  override readonly name: string = "HalfWritten";
}

interface GroupScope {
  readonly statements: Statements;
  readonly machine: JournalMachine;
  readonly known: KnownRows;
  readonly guarded: boolean;
}

function runOne(
  { statements, machine, known, guarded }: GroupScope,
  request: JournalRequest,
): Outcome<JournalAnswer, JournalFailure> {
  let writing = false;
  try {
    const rows = loadRows(statements, known, machine.rowsNeeded(request));
    const { answer, writes } = machine.decide(request, rows);
    if (writes.length === 0) return succeed(answer);
    if (guarded) statements("savepoint").run();
    writing = true;
    writeRows(statements, known, writes);
    if (guarded) statements("release").run();
    noteWrites(known, writes);
    return succeed(answer);
  } catch (error) {
    const failure = explainOne(error);
    // A fault of the whole file, such as a full disk, is not this request's own.
    if (failure === undefined) throw error;
    if (writing && !guarded) throw new HalfWritten("a group goes again", { cause: error });
    if (writing) {
      statements("rollbackTo").run();
      statements("release").run();
    }
    return failWith({ certainty: "definite", failure });
  }
}

function explainOne(error: unknown): Failure | undefined {
  if (error instanceof BrokenRow) return describeDamage(error.message);
  const fault = readSqlFault(error);
  // A mistake of ours costs this request, not its neighbours.
  if (fault === undefined) return makeFailure("internal", "the ledger could not decide a request");
  return fault.kind === "constraint" ? describeFault(fault) : undefined;
}

interface GroupFault {
  readonly step: Step;
  /** The chain's newest record before the group. */
  readonly head: AuditPosition | null;
  readonly error: unknown;
}

function explainGroup(statements: Statements, { step, head, error }: GroupFault): GroupOutcome {
  const fault = readSqlFault(error);
  if (step === "begin" && fault?.kind === "busy") return { kind: "busy" };
  // Also on the way to an ambiguous answer: it ends the lock that other processes wait for.
  const undone = step === "begin" || rollBack(statements);
  const certainty = isDefinite(
    step,
    fault,
    undone && (step !== "commit" || isHead(statements, head)),
  )
    ? "definite"
    : "ambiguous";
  return { kind: "failed", failure: { certainty, failure: describeGroupError(error, fault) } };
}

/**
 * A statement that failed before COMMIT did not happen, once it is rolled back. From COMMIT itself
 * only "busy" and "full" say the same: the commit record is the last thing written, and it was not.
 * A disk that failed or a file that is damaged says nothing of what is on it.
 */
function isDefinite(step: Step, fault: SqlFault | undefined, undone: boolean): boolean {
  if (!undone || fault?.kind === "io" || fault?.kind === "corrupt") return false;
  return step !== "commit" || fault?.kind === "busy" || fault?.kind === "full";
}

function rollBack(statements: Statements): boolean {
  if (succeeds(statements, "rollback")) return true;
  // After some faults SQLite has rolled back by itself, and a new transaction can begin.
  return succeeds(statements, "beginRead") && succeeds(statements, "rollback");
}

function succeeds(statements: Statements, name: "rollback" | "beginRead"): boolean {
  try {
    statements(name).run();
    return true;
  } catch (error) {
    if (readSqlFault(error) === undefined) throw error;
    return false;
  }
}

function isHead(statements: Statements, head: AuditPosition | null): boolean {
  try {
    const row = statements("head").get();
    return row?.["sequence"] === head?.sequence && row?.["sha256"] === head?.sha256;
  } catch (error) {
    if (readSqlFault(error) === undefined) throw error;
    return false;
  }
}

function describeGroupError(error: unknown, fault: SqlFault | undefined): Failure {
  if (fault !== undefined) return describeFault(fault);
  if (error instanceof BrokenRow) return describeDamage(error.message);
  return makeFailure("internal", "the ledger could not run a transaction");
}
