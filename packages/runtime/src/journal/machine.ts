import type { JournalRequest } from "@connectors/domain";
import { doRowsAgree } from "./agreement.js";
import { decideAbandon, decideAnchor, decideRefusal } from "./anchor.js";
import { decideAnnotate } from "./annotate.js";
import { decideBegin } from "./begin.js";
import { decideGate } from "./gate.js";
import { journalLimits, type JournalLimits } from "./limits.js";
import { decideOpenOwner } from "./open-owner.js";
import { decidePutApprover } from "./put-approver.js";
import { decidePutPolicy } from "./put-policy.js";
import { decideRecover } from "./recover.js";
import { refuseContradiction } from "./refusal.js";
import { decideReleaseOwner } from "./release-owner.js";
import { rowsNeeded } from "./rows-needed.js";
import type { Decision, JournalMachine, Rows } from "./rows.js";
import { decideAbort, decideSettle } from "./settle.js";

/** The decision of every transaction, under these limits. */
export function makeJournalMachine(limits: JournalLimits): JournalMachine {
  return {
    rowsNeeded,
    decide: (request, rows) =>
      doRowsAgree(rowsNeeded(request), rows)
        ? decideOne(request, rows, limits)
        : refuseContradiction(),
  };
}

/** The pure heart of every store, under the modelled limits. */
export const journalMachine: JournalMachine = makeJournalMachine(journalLimits);

function decideOne(request: JournalRequest, rows: Rows, limits: JournalLimits): Decision {
  switch (request.kind) {
    case "open_owner":
      return decideOpenOwner(request, rows, limits);
    case "release_owner":
      return decideReleaseOwner(request, rows, limits);
    case "anchor":
      return decideAnchor(request, rows, limits);
    case "refusal":
      return decideRefusal(request, rows, limits);
    case "abandon":
      return decideAbandon(request, rows, limits);
    case "begin":
      return decideBegin(request, rows, limits);
    case "gate":
      return decideGate(request, rows, limits);
    case "abort":
      return decideAbort(request, rows, limits);
    case "settle":
      return decideSettle(request, rows, limits);
    case "recover":
      return decideRecover(request, rows, limits);
    case "annotate":
      return decideAnnotate(request, rows, limits);
    case "put_policy":
      return decidePutPolicy(request, rows, limits);
    case "put_approver":
      return decidePutApprover(request, rows, limits);
  }
}
