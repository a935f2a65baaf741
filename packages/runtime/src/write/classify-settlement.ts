import {
  isErrorCode,
  parseAnswerObserved,
  parseFailureBody,
  parseKeptOutcome,
  parseKeptSummary,
  type AnswerObserved,
  type Cause,
  type Classification,
  type ErrorCode,
  type FailureBody,
  type KeptOutcome,
  type KeptSummary,
  type OperationDeclaration,
} from "@connectors/domain";
import {
  makeFailure,
  type Failure,
  type JsonObject,
  type ProviderCorrelation,
  type Settlement,
} from "@connectors/sdk";
import { soundWriteFailure } from "../failure/sound-failure.js";
import { trusted } from "../identity/trusted.js";
import { checkOutput, type OutputModel } from "./check-output.js";
import type { Evidence } from "./evidence.js";

/** What a settlement is read with. */
export interface SettlementReading {
  readonly declaration: OperationDeclaration;
  readonly output: OutputModel;
  /** What to look at first when nobody knows. */
  readonly unknownHint: string;
}

/**
 * What an adapter's word for its one dispatch proves.
 *
 * Applied is never downgraded: a result that is invalid or too large is an error of an effect that
 * happened. Whatever is not a settlement at all proves nothing: unknown.
 */
export function classifySettlement(settlement: Settlement, reading: SettlementReading): Evidence {
  switch (settlement.kind) {
    case "applied":
      return classifyApplied(settlement, reading);
    case "applied_failure":
      return appliedWithFailure(settlement.failure, settlement.provider);
    case "refused":
      return classifyRefused(settlement, reading);
    case "unknown":
      return classifyUnknown(settlement, reading);
  }
}

/** Evidence of nothing: it may have happened. */
export function unresolvedEvidence(
  code: ErrorCode,
  stage: Cause["stage"],
  message: string,
  reading: Pick<SettlementReading, "unknownHint">,
): Evidence {
  const failure = makeFailure("outcome_unknown", message, { hint: reading.unknownHint });
  return makeEvidence("unknown", { failure, cause: { code, stage } }, nothingFromProvider);
}

/** Evidence that nothing was sent after the gate: proved by whoever did not send it. */
export function unsentEvidence(failure: Failure): Evidence {
  return refusedEvidence(soundWriteFailure(failure), "dispatch", nothingFromProvider);
}

const nothingFromProvider: ProviderCorrelation = { http_status: null, resource_version: null };

function classifyApplied(
  settlement: Extract<Settlement, { kind: "applied" }>,
  reading: SettlementReading,
): Evidence {
  const { declaration } = reading;
  const result = checkOutput(settlement.result, reading.output);
  if (!result.ok) return appliedWithFailure(result.failure, settlement.provider);
  const keyed = declaration.idempotency.kind === "keyed";
  return makeEvidence("applied", { failure: null, cause: null }, settlement.provider, {
    result: result.value,
    kept: keyed ? result.value : null,
    summary: keyed ? null : readSummary(settlement.summary),
  });
}

function readSummary(summary: KeptSummary | null): KeptSummary | null {
  const parsed = parseKeptSummary(summary);
  return parsed.ok ? parsed.value : null;
}

function appliedWithFailure(failure: unknown, provider: ProviderCorrelation): Evidence {
  const sound = soundWriteFailure(failure);
  const code = sound.code === "outcome_unknown" ? "internal" : sound.code;
  const applied = { ...sound, code, effect: "applied", retry: "never" } as const;
  return makeEvidence(
    "applied",
    { failure: applied, cause: { code, stage: "response" } },
    provider,
  );
}

function classifyRefused(
  settlement: Extract<Settlement, { kind: "refused" }>,
  reading: SettlementReading,
): Evidence {
  const sound = soundWriteFailure(settlement.failure);
  // "Nothing happened" and "nobody knows" at once is neither.
  if (sound.code === "outcome_unknown" || sound.effect !== "none") {
    return unresolvedEvidence(
      "internal",
      "response",
      "The adapter contradicted itself about the effect.",
      reading,
    );
  }
  return refusedEvidence(sound, stageOf(settlement.stage), settlement.provider);
}

// The reservation exists by now: the same key repeats this answer, so only a new one is a new try.
function refusedEvidence(
  failure: Failure,
  stage: Cause["stage"],
  provider: ProviderCorrelation,
): Evidence {
  const refused = { ...failure, effect: "none", retry: "new_key" } as const;
  return makeEvidence(
    "refused",
    { failure: refused, cause: { code: failure.code, stage } },
    provider,
  );
}

function classifyUnknown(
  settlement: Extract<Settlement, { kind: "unknown" }>,
  reading: SettlementReading,
): Evidence {
  const { message } = soundWriteFailure(settlement.failure);
  const code: unknown = settlement.code;
  const known = isErrorCode(code) && code !== "outcome_unknown" ? code : "internal";
  const failure = makeFailure("outcome_unknown", message, { hint: reading.unknownHint });
  const cause = { code: known, stage: stageOf(settlement.stage) };
  return makeEvidence("unknown", { failure, cause }, settlement.provider, {
    observed: readObserved(settlement.observed),
  });
}

function readObserved(observed: unknown): AnswerObserved | null {
  if (observed === undefined) return null;
  const parsed = parseAnswerObserved(observed);
  return parsed.ok ? parsed.value : null;
}

function stageOf(stage: unknown): Cause["stage"] {
  return stage === "response" ? "response" : "dispatch";
}

function makeEvidence(
  classification: Classification,
  said: { readonly failure: Failure | null; readonly cause: Cause | null },
  provider: ProviderCorrelation,
  more: {
    readonly result?: JsonObject;
    readonly kept?: JsonObject | null;
    readonly summary?: KeptSummary | null;
    readonly observed?: AnswerObserved | null;
  } = {},
): Evidence {
  const failure = said.failure === null ? null : wholeFailure(said.failure);
  const { cause } = said;
  const kept = {
    classification,
    failure,
    cause,
    result: more.kept ?? null,
    summary: more.summary ?? null,
    ...readCorrelation(provider),
  };
  return {
    kept: trusted(parseKeptOutcome(kept), "a classified outcome fits its model"),
    live: { result: more.result ?? null, failure, cause, observed: more.observed ?? null },
  };
}

function wholeFailure(failure: Failure): FailureBody {
  return trusted(parseFailureBody(failure), "a sound failure fits its model");
}

// Digests, ids, codes: what is not one of those is not kept.
function readCorrelation(
  provider: Partial<ProviderCorrelation> | undefined,
): Pick<KeptOutcome, "http_status" | "resource_version"> {
  const parsed = parseKeptOutcome({
    classification: "applied",
    failure: null,
    cause: null,
    result: null,
    summary: null,
    http_status: provider?.http_status ?? null,
    resource_version: provider?.resource_version ?? null,
  });
  if (!parsed.ok) return nothingFromProvider;
  const { http_status, resource_version } = parsed.value;
  return { http_status, resource_version };
}
