import {
  classifyExecSettleAnswer,
  decideExecSettle,
  parseKeptSummary,
  parsePodsExecResult,
  type ErrorCode,
  type ExecSettleFacts,
  type ExecSettleOutcome,
  type ExecSubprotocol,
  type KeptSummary,
  type Name,
} from "@connectors/domain";
import {
  invariant,
  makeFailure,
  type Failure,
  type JsonObject,
  type Observed,
  type Settlement,
} from "@connectors/sdk";
import type { ExecStream } from "./exec-frames.js";
import type { ExecPlan } from "./exec-prepare.js";
import { hintRefusedExec } from "./exec-refusal.js";
import { describeExecStatus, type ExecStatusFact } from "./exec-status.js";
import { isTruncated, keepNothing } from "./kept-bytes.js";
import { describeOutput } from "./output-text.js";
import { refuse, settleUnknown } from "./settlements.js";

/** All that one dispatched exec came to. */
export type ExecObservation =
  | { readonly arrival: "not_sent" | "lost"; readonly failure: Failure }
  | { readonly arrival: "answered"; readonly status: number; readonly body: Uint8Array }
  | {
      readonly arrival: "accepted";
      readonly protocol: ExecSubprotocol;
      readonly stream: ExecStream;
    };

/** Where and when it ran. */
export interface ExecRun {
  readonly instance: Name;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** What the observation proves, by the decision table alone. */
export function settleExec(plan: ExecPlan, seen: ExecObservation, run: ExecRun): Settlement {
  const status = describeExecStatus(
    seen.arrival === "accepted" ? seen.stream.status : keepNothing(0),
  );
  const outcome = decideExecSettle(extractExecFacts(seen, status), {
    failure_code: readFailureCode(seen),
    exit_code: status.exitCode,
  });
  if (outcome.kind === "applied" && seen.arrival === "accepted") {
    return settleApplied(plan, { seen, run, exitCode: outcome.exit_code ?? 0 });
  }
  const code = outcome.code ?? "upstream_protocol";
  return outcome.kind === "refused"
    ? settleRefused(plan, seen, code)
    : settleLost(seen, status, outcome);
}

function extractExecFacts(seen: ExecObservation, { status }: ExecStatusFact): ExecSettleFacts {
  return {
    arrival: seen.arrival,
    answer: classifyExecSettleAnswer(seen.arrival === "answered" ? seen.status : null),
    end: seen.arrival === "accepted" ? seen.stream.end : "none",
    status,
  };
}

/** The code that rows carry through: of a loss, or of a refusal made here. */
function readFailureCode(seen: ExecObservation): ErrorCode {
  if (seen.arrival === "answered") return "unavailable";
  if (seen.arrival === "accepted") return seen.stream.lost?.code ?? "upstream_protocol";
  return seen.failure.code;
}

function settleApplied(
  plan: ExecPlan,
  options: {
    readonly seen: ExecObservation & { readonly arrival: "accepted" };
    readonly run: ExecRun;
    readonly exitCode: number;
  },
): Settlement {
  const { seen, run, exitCode } = options;
  const { stdout, stderr } = seen.stream;
  const provider = { http_status: 101, resource_version: null };
  const result: JsonObject = {
    namespace: plan.input.namespace,
    pod: plan.input.pod,
    container: plan.input.container,
    exit_code: exitCode,
    stdout: describeOutput(stdout),
    stderr: describeOutput(stderr),
    stdout_truncated: isTruncated(stdout),
    stderr_truncated: isTruncated(stderr),
    // The API server writes the status of a v5 stream itself, and may make one up.
    evidence: seen.protocol === "v4" ? "direct" : "translated",
    provenance: {
      instance: run.instance,
      subprotocol: seen.protocol,
      started_at_ms: run.startedAtMs,
      ended_at_ms: run.endedAtMs,
    },
  };
  if (!parsePodsExecResult(result).ok) {
    const failure = makeFailure("internal", "the command ended, and its result fits no model", {
      effect: "applied",
    });
    return { kind: "applied_failure", failure, provider };
  }
  return { kind: "applied", result, summary: summarise(seen.stream, exitCode), provider };
}

function summarise({ stdout, stderr }: ExecStream, exitCode: number): KeptSummary {
  const summary = parseKeptSummary({
    exit_code: exitCode,
    stdout_bytes: stdout.seenBytes,
    stderr_bytes: stderr.seenBytes,
    stdout_truncated: isTruncated(stdout),
    stderr_truncated: isTruncated(stderr),
  });
  invariant(summary.ok, "counts of bytes are counters");
  return summary.value;
}

function settleRefused(plan: ExecPlan, seen: ExecObservation, code: ErrorCode): Settlement {
  if (seen.arrival !== "answered") {
    const failure =
      seen.arrival === "not_sent"
        ? seen.failure
        : makeFailure(code, "the exec was refused before it was sent");
    return refuse({ failure, stage: "dispatch", httpStatus: null });
  }
  const hint = hintRefusedExec(seen.status, seen.body, plan);
  const failure = makeFailure(
    code,
    `the API server refused the exec with ${seen.status}`,
    hint === null ? {} : { hint },
  );
  return refuse({ failure, stage: "response", httpStatus: seen.status });
}

/** What to look at first; a failure of the node's own is most often the program's absence. */
function hintUnsettled({ reason }: ExecStatusFact): string {
  return reason === "InternalError"
    ? "The node reports a failure of its own: most often the container has no such program. " +
        "It proves nothing about what ran: look in the container."
    : afterUnknown;
}

const afterUnknown =
  "The command may still be running: ending a stream stops nothing in the container. " +
  "Look in the container, and for this attempt's id in the API server's audit log.";

function settleLost(
  seen: ExecObservation,
  status: ExecStatusFact,
  outcome: ExecSettleOutcome,
): Settlement {
  const code = outcome.code ?? "upstream_protocol";
  if (seen.arrival !== "accepted") {
    const httpStatus = seen.arrival === "answered" ? seen.status : null;
    return settleUnknown({
      code,
      message: `whether the command ran is not known (${outcome.row})`,
      hint: "The command may have run: look in the container before anything else.",
      stage: seen.arrival === "answered" ? "response" : "dispatch",
      httpStatus,
    });
  }
  return settleUnknown({
    code,
    message: `how the command ended is not known (${outcome.row})`,
    hint: hintUnsettled(status),
    stage: "response",
    httpStatus: 101,
    observed: describeObserved(seen.stream, status),
  });
}

function describeObserved({ stdout, stderr }: ExecStream, { reason }: ExecStatusFact): Observed {
  return {
    stdout: describeOutput(stdout),
    stderr: describeOutput(stderr),
    stdout_truncated: isTruncated(stdout),
    stderr_truncated: isTruncated(stderr),
    status_reason: reason,
  };
}
