/** One entry of a Status' details, as the server writes it: empty members are left out. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a Status is about. An empty object is a real answer too (a failed JSON Patch test). */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A `v1` Status object. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  /** Empty but for the token of an expired list. */
  readonly metadata: { readonly continue?: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A failing Status of `code`; members that are not given are left out, as on the wire. */
export function makeFailure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: StatusDetails,
): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}
