import {
  classifyRestartSettleCode,
  restartAnswerBytesMax,
  type RestartSettleCauses,
  type RestartSettleDetails,
  type RestartSettleFacts,
  type RestartSettleObject,
  type RestartSettleReason,
} from "@connectors/domain";
import {
  parseDeployment,
  parseStatus,
  type DeploymentView,
  type Status,
} from "@connectors/kubernetes-client/request";
import type { Failure, HttpAnswer } from "@connectors/sdk";
import type { RestartPlan } from "./restart-prepare.js";

/** All that one dispatched restart came to. */
export type RestartObservation =
  | { readonly arrival: "not_sent" | "lost"; readonly failure: Failure }
  | { readonly arrival: "answered"; readonly answer: HttpAnswer };

/** The facts that settle it, and the Deployment that a 2xx held. */
export interface RestartEvidence {
  readonly facts: RestartSettleFacts;
  readonly deployment: DeploymentView | null;
}

/** What an answer says, fact by fact; nothing is concluded here. */
export function extractRestartEvidence(
  plan: RestartPlan,
  seen: RestartObservation,
): RestartEvidence {
  const answer = seen.arrival === "answered" ? seen.answer : null;
  const code = classifyRestartSettleCode(answer?.status ?? null);
  const deployment = answer !== null && code === "c2xx" ? readDeployment(answer) : null;
  const status = answer !== null && code !== "c2xx" ? readFailureStatus(answer) : null;
  return {
    facts: {
      arrival: seen.arrival,
      code,
      object: classifyObject(plan, deployment),
      reason: classifyReason(status),
      details: classifyDetails(plan, status),
      causes: classifyCauses(status),
      webhook: isWebhookDenial(status),
      intermediary: plan.intermediary,
    },
    deployment,
  };
}

function readDeployment({ body }: HttpAnswer): DeploymentView | null {
  const parsed = parseDeployment(body, restartAnswerBytesMax);
  return parsed.ok ? parsed.value : null;
}

/** The v1 Status of a Failure whose code, where it has one, is the answer's own. */
function readFailureStatus({ status, body }: HttpAnswer): Status | null {
  const parsed = parseStatus(body);
  if (!parsed.ok || parsed.value.status !== "Failure") return null;
  return parsed.value.code === null || parsed.value.code === status ? parsed.value : null;
}

function classifyObject(
  { input, marker }: RestartPlan,
  deployment: DeploymentView | null,
): RestartSettleObject {
  if (deployment === null) return "none";
  const exact =
    deployment.namespace === input.namespace &&
    deployment.name === input.name &&
    deployment.uid === input.uid &&
    deployment.resourceVersion !== "" &&
    deployment.restartedAt === marker;
  return exact ? "exact" : "other";
}

function classifyReason(status: Status | null): RestartSettleReason {
  switch (status?.reason ?? null) {
    case null:
    case "":
      return "none";
    case "Conflict":
      return "Conflict";
    case "NotFound":
      return "NotFound";
    case "Forbidden":
      return "Forbidden";
    case "Invalid":
      return "Invalid";
    case "Unauthorized":
      return "Unauthorized";
    default:
      return "other";
  }
}

function classifyDetails({ input }: RestartPlan, status: Status | null): RestartSettleDetails {
  if (status?.details == null) return "none";
  const { group, kind, name } = status.details;
  // The server names the resource; where validation refused, the kind.
  const kinds = status.reason === "Invalid" ? ["deployments", "Deployment"] : ["deployments"];
  const same = group === "apps" && kinds.includes(kind ?? "") && name === input.name;
  return same ? "this_deployment" : "other";
}

function classifyCauses(status: Status | null): RestartSettleCauses {
  const causes = status?.details?.causes ?? [];
  if (causes.length === 0) return "none";
  return causes.some(({ field }) => (field ?? "") !== "") ? "with_field" : "without_field";
}

function isWebhookDenial(status: Status | null): boolean {
  const message = status?.message ?? "";
  return message.startsWith('admission webhook "') && message.includes("denied the request");
}
