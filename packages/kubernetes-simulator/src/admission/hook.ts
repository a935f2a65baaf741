import type { StatusDetails } from "../status.js";

/** Which writes a hook is asked about. What is absent matches everything. */
export interface AdmissionMatch {
  readonly operations?: readonly AdmissionOperation[];
  /** `deployments.apps`, `pods`. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: string;
}

/** The writes that admission sees. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE";

/** What a webhook says that refuses, member by member as it sends its own status. */
export interface WebhookDenial {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

/**
 * One thing that refuses writes before they are stored.
 *
 * `webhook` denies, as a mutating or a validating webhook; `webhook_failure` is one that cannot be
 * asked and whose failure policy is Fail; `policy` is a ValidatingAdmissionPolicy.
 */
export type AdmissionHook = { readonly match: AdmissionMatch } & (
  | {
      readonly kind: "webhook";
      readonly phase: AdmissionPhase;
      readonly name: string;
      readonly denial?: WebhookDenial;
    }
  | {
      readonly kind: "webhook_failure";
      readonly phase: AdmissionPhase;
      readonly name: string;
      readonly failure: "timeout" | "http_500" | "unreachable";
    }
  | {
      readonly kind: "policy";
      readonly policy: string;
      readonly binding: string;
      readonly message: string;
    }
);

/** Mutating hooks are asked before the version is compared, validating ones after it. */
export type AdmissionPhase = "mutating" | "validating";

/** One write, as hooks are asked about it. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: { readonly group: string; readonly plural: string };
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
}
