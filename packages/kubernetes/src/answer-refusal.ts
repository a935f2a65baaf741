import { fail, type Failure } from "@connectors/sdk";

/** What was asked for, and what RBAC must allow for it, for messages. */
export interface AskedFor {
  /** As after "to": `read Deployment api`. */
  readonly act: string;
  readonly permission: string;
}

/** The failure of a request without effect that was answered with this HTTP status, not with 2xx. */
export function refuseAnswer(
  status: number,
  { act, permission }: AskedFor,
): { readonly ok: false; readonly failure: Failure } {
  switch (status) {
    case 401:
      return fail("unauthorized", "the API server does not accept the credential");
    case 403:
      return fail("forbidden", `the API server does not allow this user to ${act}`, {
        hint: `RBAC must allow ${permission}.`,
      });
    case 404:
      return fail("not_found", `the API server found nothing when asked to ${act}`);
    case 429:
      return fail("rate_limited", "the API server takes no more requests now");
    default:
      return status >= 500 && status <= 599
        ? fail("unavailable", `the API server answered ${status} when asked to ${act}`)
        : fail("upstream_protocol", `the API server answered ${status} when asked to ${act}`);
  }
}
