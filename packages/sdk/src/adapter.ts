import type { ErrorCode, KeptSummary, OperationDeclaration } from "@connectors/domain";
import type {
  AuthenticatedHttp,
  AuthenticatedCheck,
  AuthenticatedUpgrade,
  AuthenticatedWrite,
  ReviewPath,
  UpgradeBounds,
} from "./http.js";
import type { Failure, Outcome } from "./outcome.js";

/** A JSON value, as the strict parser yields it. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [member: string]: Json };

/** What an adapter advertises: its kind, its declarations, and what this host configured. */
export interface AdapterDescription {
  readonly adapter: string;
  /** Every declaration that this configuration advertises; revision = SHA-256 of canonical JSON. */
  readonly operations: readonly OperationDeclaration[];
  /** Known to the adapter and not configured here: `forbidden`, where an unknown id is `unsupported`. */
  readonly unconfigured: readonly string[];
  /** Namespaces, operations, exec offer, intermediary: no path, no secret. */
  readonly configuration: JsonObject;
}

/** What the policy needs to know of one input. */
export interface PolicyFacts {
  readonly namespace: string;
  readonly name: string;
  /** The argv, for operations that run one; null otherwise. */
  readonly command: readonly string[] | null;
}

/** What an accepted input means to the host. */
export interface CheckedInput extends PolicyFacts {
  /** What this one call may take, never more than declared; absent: as declared. */
  readonly limits?: { readonly execution_ms: number; readonly provider_ms: number };
}

/** What was seen on the way to an `unknown`: given once to the live caller, never stored. */
export interface Observed {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  readonly status_reason: string | null;
}

/** The provider's correlation, for the audit record: digests, ids, codes, never text. */
export interface ProviderCorrelation {
  readonly http_status: number | null;
  readonly resource_version: string | null;
}

/** What an adapter says of its one dispatch. */
export type Settlement =
  | {
      readonly kind: "applied";
      readonly result: JsonObject;
      /** What an unkeyed operation keeps of it; null for keyed ones, which keep it whole. */
      readonly summary: KeptSummary | null;
      readonly provider: ProviderCorrelation;
    }
  | {
      readonly kind: "applied_failure";
      readonly failure: Failure;
      readonly provider: ProviderCorrelation;
    }
  | {
      readonly kind: "refused";
      readonly failure: Failure;
      /** Before an answer, or after one. */
      readonly stage: "dispatch" | "response";
      readonly provider: ProviderCorrelation;
    }
  | {
      readonly kind: "unknown";
      readonly failure: Failure;
      /** What was lost: the cause's code, never `outcome_unknown`. */
      readonly code: ErrorCode;
      readonly stage: "dispatch" | "response";
      readonly observed?: Observed;
      readonly provider: ProviderCorrelation;
    };

/** Which capability an execution needs, and its bounds. */
export type Needs =
  | { readonly kind: "write" }
  | { readonly kind: "upgrade"; readonly bounds: UpgradeBounds };

/** A capability handed over after the gate; good for one use. */
export type WriteCapability =
  | { readonly kind: "write"; readonly write: AuthenticatedWrite }
  | { readonly kind: "upgrade"; readonly upgrade: AuthenticatedUpgrade };

/** An effect described exactly, which has not happened. */
export interface PreparedWrite {
  readonly needs: Needs;
  /** Spends itself before its first await; a second call throws (our bug). Never rejects. */
  execute(
    capability: WriteCapability,
    options: { readonly correlation: string; readonly signal: AbortSignal },
  ): Promise<Settlement>;
  /** Gives it up; idempotent, does not throw, sends nothing. */
  cancel(): void;
}

/** One provider's operations. It is never given anything that can write before the gate. */
export interface Adapter {
  describe(): AdapterDescription;
  /** The input against its schema, then the adapter's own bounds and configuration; pure. */
  check(operation: string, input: JsonObject): Outcome<CheckedInput>;
  /** A result against the declared output, by the model's validator; pure. */
  checkResult(operation: string, result: JsonObject): Outcome<JsonObject>;
  read(
    operation: string,
    input: JsonObject,
    capabilities: { readonly http: AuthenticatedHttp; readonly signal: AbortSignal },
  ): Promise<Outcome<JsonObject>>;
  /** May read; cannot write. `nowMs` is the host's clock, for markers. */
  prepareWrite(request: {
    readonly operation: string;
    readonly input: JsonObject;
    readonly http: AuthenticatedHttp;
    readonly check: (path: ReviewPath) => AuthenticatedCheck;
    readonly nowMs: number;
    readonly signal: AbortSignal;
  }): Promise<Outcome<PreparedWrite>>;
}
