import type {
  Approver,
  Attempt,
  AttemptId,
  AuditPosition,
  AuditRecord,
  JournalAnswer,
  JournalRequest,
  KeyNamespace,
  KeyReservation,
  Kid,
  Name,
  Observation,
  Owner,
  ProofReference,
  Sha256,
  Spend,
  StoredPolicy,
} from "@connectors/domain";

/**
 * Which rows a transaction looks at, known from the request alone, so that one pure decision
 * serves every store: load the rows, decide, apply the writes, commit.
 */
export interface RowsNeeded {
  readonly owner: string | null;
  /** The reservation of this namespace, and its attempt. */
  readonly key: KeyNamespace | null;
  /** This attempt, and its key's reservation when it has one. */
  readonly attempt: AttemptId | null;
  readonly spend: { readonly issuer: Name; readonly reference: ProofReference } | null;
  readonly kid: Kid | null;
  /** Every unsettled attempt of this owner, with the reservations of their keys. */
  readonly openAttemptsOf: string | null;
  /** How many observations this attempt has. */
  readonly observationsOf: AttemptId | null;
  /** How many approvers' keys there are. */
  readonly approverCount: boolean;
}

/** The rows as they stand inside the transaction. */
export interface Rows {
  readonly head: AuditPosition | null;
  readonly auditCount: number;
  readonly attemptCount: number;
  /** The store's last sample of the clock; 0 for a new store. */
  readonly floorMs: number;
  readonly policy: StoredPolicy | null;
  readonly owner: Owner | null;
  readonly reservation: KeyReservation | null;
  readonly attempt: Attempt | null;
  readonly spend: Spend | null;
  readonly approver: Approver | null;
  readonly openAttempts: readonly {
    readonly attempt: Attempt;
    readonly reservation: KeyReservation | null;
  }[];
  readonly observationCount: number;
  readonly approverCount: number;
}

/** One row to write; `insert_*` must fail where the row is already there. */
export type RowWrite =
  | {
      readonly kind: "append_audit";
      readonly record: AuditRecord;
      /** Its canonical JSON: the bytes that the digest is of. */
      readonly text: string;
      readonly sha256: Sha256;
    }
  | { readonly kind: "insert_attempt"; readonly attempt: Attempt }
  | { readonly kind: "update_attempt"; readonly attempt: Attempt }
  | { readonly kind: "put_reservation"; readonly reservation: KeyReservation }
  | { readonly kind: "insert_spend"; readonly spend: Spend }
  | { readonly kind: "put_owner"; readonly owner: Owner }
  | { readonly kind: "insert_observation"; readonly observation: Observation }
  | { readonly kind: "insert_policy"; readonly policy: StoredPolicy }
  | { readonly kind: "put_approver"; readonly approver: Approver }
  | { readonly kind: "raise_floor"; readonly floorMs: number };

/** What a transaction decided: an answer, and the rows that make it true. */
export interface Decision {
  readonly answer: JournalAnswer;
  readonly writes: readonly RowWrite[];
}

/** The shape of the pure heart of every store; `rowsNeeded` and `decide` implement it. */
export interface JournalMachine {
  rowsNeeded(request: JournalRequest): RowsNeeded;
  decide(request: JournalRequest, rows: Rows): Decision;
}
