import type { ErrorCode, JournalAnswerRefused } from "@connectors/domain";
import { makeFailure, type Failure } from "@connectors/sdk";
import { makeApprovalRefusal } from "../approvals/approval-refusal.js";
import type { JournalFailure } from "../journal/journal.js";

const sentences: Partial<Readonly<Record<ErrorCode, string>>> = {
  capacity: "The store is full: it takes no new attempts.",
  unavailable: "The store takes no new attempts now: its rows or its clock are not to be trusted.",
  lifecycle_conflict: "This process no longer owns what it opened; another one closed it.",
};

/** The failure that a transaction's refusal is; nothing was written. */
export function describeRefusal(answer: JournalAnswerRefused): Failure {
  const { code, reason, attempt } = answer;
  if (code === "approval_refused" && reason !== null) return makeApprovalRefusal(reason);
  if (code === "approval_replayed" && attempt !== null) {
    return makeFailure(code, `This proof was spent on attempt ${attempt}.`, {
      // The effect of that attempt may have happened: a new approval would be a second one.
      hint: `Look at it with \`connectors attempts explain ${attempt}\` before you prepare again.`,
    });
  }
  return makeFailure(code, sentences[code] ?? "The store refused to record this.");
}

/** The failure that a transaction without an answer is: an ordinary one, with its own words. */
export function describeJournalFailure({ failure }: JournalFailure): Failure {
  return makeFailure(
    failure.code === "timeout" || failure.code === "capacity" ? failure.code : "unavailable",
    "The store did not record this.",
  );
}
