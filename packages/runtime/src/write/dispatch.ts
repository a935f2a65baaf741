import { deadlineMarginMs, type Attempt } from "@connectors/domain";
import {
  fail,
  invariant,
  makeFailure,
  succeed,
  type CapturedConnection,
  type Needs,
  type Outcome,
  type PreparedWrite,
  type WriteCapability,
} from "@connectors/sdk";
import { classifySettlement, unresolvedEvidence, unsentEvidence } from "./classify-settlement.js";
import type { Evidence } from "./evidence.js";
import { makeStop, untilStopped } from "./stop.js";
import { hintForUnknown } from "./unknown-hint.js";
import type { WriteRun } from "./write-run.js";
import type { StepEvents, StepStates } from "./write-state.js";

/**
 * Step 9: `execute`, once, on a capability that is good for one use.
 *
 * From here on whatever is not proved is unknown. The caller's signal is not looked at: stopping
 * now would prove nothing. Only the provider's own time ends the wait.
 */
export async function dispatch(
  { attempt }: StepStates["dispatch"],
  run: WriteRun,
): Promise<StepEvents["dispatch"]> {
  const { captured, prepared } = run.held;
  invariant(captured !== null && prepared !== null, "a write is prepared before its gate");
  if (run.stop.remainingMs() === 0) {
    const message = "The deadline passed between the gate and the send; nothing was sent.";
    return proved(unsentEvidence(makeFailure("timeout", message)));
  }
  const capability = takeCapability(captured, prepared.needs);
  if (!capability.ok) return proved(unsentEvidence(capability.failure));
  // Spent: no path leads to a second execute, nor to a cancel.
  run.held.prepared = null;
  return proved(await executeOnce(prepared, capability.value, attempt, run));
}

async function executeOnce(
  prepared: PreparedWrite,
  capability: WriteCapability,
  attempt: Attempt,
  run: WriteRun,
): Promise<Evidence> {
  const { frozen, scope } = run;
  const { declaration } = frozen.operation;
  const unknownHint = hintForUnknown(attempt.id, frozen.adapter);
  const never = new AbortController().signal;
  const providerMs = Math.min(frozen.limits.providerMs, run.stop.remainingMs());
  const asked = makeStop(scope.ambient, providerMs, never);
  // An adapter that does not end when it is asked to is left behind a little later.
  const patience = makeStop(scope.ambient, providerMs + deadlineMarginMs, never);
  const executing = prepared.execute(capability, { correlation: attempt.id, signal: asked.signal });
  const settlement = await untilStopped(patience, executing, () => undefined);
  asked.release();
  patience.release();
  if (settlement === undefined) {
    const message = "The provider did not answer within its time.";
    return unresolvedEvidence("timeout", "dispatch", message, { unknownHint });
  }
  const { adapter } = frozen.adapter;
  return classifySettlement(settlement, {
    declaration,
    output: {
      bytesMax: declaration.limits.result_bytes,
      checkResult: (result) => adapter.checkResult(declaration.id, result),
    },
    unknownHint,
  });
}

function takeCapability(captured: CapturedConnection, needs: Needs): Outcome<WriteCapability> {
  try {
    if (needs.kind === "write") {
      const write = captured.write();
      return write.ok ? succeed({ kind: "write", write: write.value }) : write;
    }
    const upgrade = captured.upgrade(needs.bounds);
    return upgrade.ok ? succeed({ kind: "upgrade", upgrade: upgrade.value }) : upgrade;
  } catch {
    // Making a capability sends nothing, so neither does failing to.
    return fail("internal", "The connection could not give a way to write.");
  }
}

function proved(evidence: Evidence): StepEvents["dispatch"] {
  return { kind: "proved", evidence };
}
