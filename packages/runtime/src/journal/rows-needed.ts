import type { JournalRequest, ProofFacts } from "@connectors/domain";
import type { RowsNeeded } from "./rows.js";

const nothing: RowsNeeded = {
  owner: null,
  key: null,
  attempt: null,
  spend: null,
  kid: null,
  openAttemptsOf: null,
  observationsOf: null,
  approverCount: false,
};

/** The rows that deciding `request` looks at, besides head, counts, floor and newest policy. */
export function rowsNeeded(request: JournalRequest): RowsNeeded {
  switch (request.kind) {
    case "open_owner":
      return { ...nothing, owner: request.owner.nonce };
    case "release_owner":
      return { ...nothing, owner: request.nonce, openAttemptsOf: request.nonce };
    case "anchor":
    case "refusal":
    case "abandon":
    case "put_policy":
      return { ...nothing, owner: request.draft.owner };
    case "begin": {
      const { id, owner, key_namespace: key } = request.attempt;
      // With a key the attempt to look at is the key's winner; without, one that has this id.
      return { ...nothing, owner, key, attempt: key === null ? id : null, ...proofRows(request) };
    }
    case "gate":
      return {
        ...nothing,
        owner: request.owner,
        attempt: request.attempt,
        ...proofRows(request),
      };
    case "abort":
    case "settle":
      return { ...nothing, owner: request.owner, attempt: request.attempt };
    case "recover":
      return { ...nothing, owner: request.dead, openAttemptsOf: request.dead };
    case "annotate": {
      const { attempt } = request.observation;
      return { ...nothing, owner: request.draft.owner, attempt, observationsOf: attempt };
    }
    case "put_approver":
      return {
        ...nothing,
        owner: request.draft.owner,
        kid: request.approver.kid,
        approverCount: true,
      };
  }
}

function proofRows(request: { readonly proof: ProofFacts | null }): Partial<RowsNeeded> {
  if (request.proof === null) return {};
  const { issuer, reference, kid } = request.proof;
  return { spend: { issuer, reference }, kid };
}
