import { proofBytesMax } from "@connectors/domain";
import { fail, succeed, type Approver } from "@connectors/sdk";

/**
 * An approver that has decided before: its proof is the text of a file, with or without a newline
 * at the end. What the proof is worth is for the host to find out.
 */
export function makeProofFileApprover(text: string): Approver {
  return {
    approve(_prepared, { signal }) {
      const jws = text.replace(/\r?\n$/, "");
      if (signal.aborted) return Promise.resolve(fail("interrupted", "Stopped before approval."));
      if (jws === "" || jws.length > proofBytesMax) {
        return Promise.resolve(fail("invalid_input", "The proof file holds no proof."));
      }
      return Promise.resolve(succeed({ jws }));
    },
  };
}
