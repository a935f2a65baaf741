import type {
  Attempt,
  AuditPosition,
  ErrorCode,
  ProofFacts,
  Separation,
  Stage,
} from "@connectors/domain";
import type { Failure } from "@connectors/sdk";
import type { Evidence } from "./evidence.js";

/** Why a write goes no further, and where that arose. Nothing was sent. */
export interface Refusal {
  readonly failure: Failure;
  readonly stage: Stage;
}

/** An approval that was found good, to be spent at begin. */
export interface VerifiedApproval {
  readonly proof: ProofFacts;
  readonly separation: Separation;
}

/** What a look at a key shows. */
export type Sighting =
  | { readonly kind: "nothing" }
  | { readonly kind: "unresolved"; readonly attempt: Attempt }
  | { readonly kind: "known"; readonly attempt: Attempt }
  | { readonly kind: "other_request" }
  | { readonly kind: "unreadable"; readonly failure: Failure };

/** What an answer is made from. */
export type Told =
  /** A look that was asked for alone, and found nothing. */
  | { readonly kind: "nothing" }
  /** Refused before an attempt existed. */
  | {
      readonly kind: "refused";
      readonly refusal: Refusal;
      readonly audit: AuditPosition | null;
    }
  /** The ledger's own word. */
  | { readonly kind: "recorded"; readonly attempt: Attempt; readonly replayed: boolean }
  /** The attempt stays Prepared: its gate never opens, and its abort could not be written. */
  | { readonly kind: "unsent"; readonly attempt: Attempt; readonly refusal: Refusal }
  /** What the dispatch proved, and whether the ledger has it. */
  | {
      readonly kind: "live";
      readonly attempt: Attempt;
      readonly evidence: Evidence;
      readonly recorded: boolean;
    }
  /** Nobody knows, for this reason. */
  | {
      readonly kind: "unresolved";
      readonly attempt: Attempt | null;
      readonly code: ErrorCode;
      readonly stage: Stage;
    };

/** What the steps up to the gate have established. */
export interface Established {
  /** null for an operation that needs no approval. */
  readonly approval: VerifiedApproval | null;
  readonly anchor: AuditPosition;
}

/** Every state of a write that something is to be done in, by the step that is done in it. */
export interface StepStates {
  /** Step 2; `alone` when nothing but the look was asked for. */
  readonly observe: { readonly at: "observe"; readonly alone: boolean };
  /** Step 3. */
  readonly verify_proof: { readonly at: "verify_proof" };
  /** Step 4. */
  readonly capture: { readonly at: "capture"; readonly approval: VerifiedApproval | null };
  /** Step 5. */
  readonly anchor: { readonly at: "anchor"; readonly approval: VerifiedApproval | null };
  /** Step 6. */
  readonly preflight: { readonly at: "preflight" } & Established;
  /** Step 7. */
  readonly begin: { readonly at: "begin" } & Established;
  /** Step 8. */
  readonly gate: { readonly at: "gate"; readonly attempt: Attempt } & Established;
  /** Step 8, when the gate stays shut. */
  readonly abort: { readonly at: "abort"; readonly attempt: Attempt; readonly refusal: Refusal };
  /** Step 9. */
  readonly dispatch: { readonly at: "dispatch"; readonly attempt: Attempt };
  /** Step 10. */
  readonly settle: {
    readonly at: "settle";
    readonly attempt: Attempt;
    readonly evidence: Evidence;
  };
  /** Before every refusal: a winner under the same key is a better answer. */
  readonly recheck: {
    readonly at: "recheck";
    readonly refusal: Refusal;
    readonly anchor: AuditPosition | null;
  };
  /** A refusal, or an anchor that no attempt followed, is written down. */
  readonly record: {
    readonly at: "record";
    readonly refusal: Refusal | null;
    readonly anchor: AuditPosition | null;
    readonly next: StepStates["wait"] | AnswerState;
  };
  /** Somebody else's attempt, until it is settled. */
  readonly wait: { readonly at: "wait"; readonly attempt: Attempt; readonly looks: number };
}

/** The end: step 11 makes the answer. */
export interface AnswerState {
  readonly at: "answer";
  readonly told: Told;
}

/** A step's name. */
export type Step = keyof StepStates;

/** Where a write is. */
export type WriteState = StepStates[Step] | AnswerState;

type Refused = { readonly kind: "refused"; readonly refusal: Refusal };

/** How each step can end. */
export interface StepEvents {
  readonly observe: Sighting;
  readonly verify_proof:
    | { readonly kind: "verified"; readonly approval: VerifiedApproval | null }
    | Refused;
  readonly capture: { readonly kind: "captured" } | Refused;
  readonly anchor: { readonly kind: "anchored"; readonly audit: AuditPosition } | Refused;
  readonly preflight: { readonly kind: "ready" } | Refused;
  readonly begin:
    | { readonly kind: "prepared"; readonly attempt: Attempt }
    | { readonly kind: "found"; readonly sighting: Sighting }
    | Refused
    /** It may be recorded; this process can never open its gate. */
    | { readonly kind: "doubtful"; readonly refusal: Refusal };
  readonly gate:
    | { readonly kind: "opened"; readonly attempt: Attempt }
    | { readonly kind: "closed"; readonly refusal: Refusal }
    | { readonly kind: "conflict"; readonly attempt: Attempt }
    | { readonly kind: "doubtful" };
  readonly abort:
    | { readonly kind: "recorded"; readonly attempt: Attempt }
    | { readonly kind: "unrecorded" };
  readonly dispatch: { readonly kind: "proved"; readonly evidence: Evidence };
  readonly settle:
    | { readonly kind: "recorded"; readonly attempt: Attempt }
    | { readonly kind: "unrecorded" };
  readonly recheck: Sighting;
  readonly record: { readonly kind: "recorded"; readonly audit: AuditPosition | null };
  readonly wait:
    | { readonly kind: "unresolved"; readonly attempt: Attempt }
    | { readonly kind: "known"; readonly attempt: Attempt }
    | { readonly kind: "ended"; readonly code: ErrorCode };
}
