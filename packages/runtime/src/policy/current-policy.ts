import type { PolicyReference } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import type { Journal } from "../journal/journal.js";
import { readPolicy, type Policy } from "./policy-document.js";

/** The policy that counts now, and how a subject names it. */
export interface CurrentPolicy {
  readonly policy: Policy;
  readonly reference: PolicyReference;
}

/** The newest policy of the store; null when none was ever set, which denies everything. */
export async function readCurrentPolicy(journal: Journal): Promise<Outcome<CurrentPolicy | null>> {
  const view = await journal.query({ kind: "policy", revision: null });
  if (!view.ok) return view;
  const stored = view.value.policy;
  if (stored === null) return succeed(null);
  const policy = readPolicy(stored.document);
  // It was read before it was stored: a store that gives anything else back is not to be used.
  if (!policy.ok || policy.value.sha256 !== stored.sha256) {
    return fail("unavailable", "The store's policy is not the one that was put there.");
  }
  const { revision, sha256, document } = stored;
  return succeed({ policy: policy.value, reference: { id: document.id, revision, sha256 } });
}
