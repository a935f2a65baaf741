import { restartAnswerBytesMax } from "@connectors/domain";
import type { AuthenticatedWrite } from "@connectors/sdk";
import type { RestartObservation } from "./restart-facts.js";
import type { RestartPlan } from "./restart-prepare.js";

/** What one use of the capability came to. */
export async function dispatchRestart(
  plan: RestartPlan,
  write: AuthenticatedWrite,
  options: { readonly correlation: string; readonly signal: AbortSignal },
): Promise<RestartObservation> {
  const sent = await write.send(plan.request, {
    ...options,
    answerBytesMax: restartAnswerBytesMax,
  });
  if (sent.ok) return { arrival: "answered", answer: sent.value };
  const { failure, sent: evidence } = sent.failure;
  return { arrival: evidence === "no" ? "not_sent" : "lost", failure };
}
