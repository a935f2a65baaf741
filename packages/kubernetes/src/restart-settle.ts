import {
  decideRestartSettle,
  parseRolloutRestartResult,
  type ErrorCode,
  type RestartSettleRow,
  type RolloutRestartInput,
} from "@connectors/domain";
import type { DeploymentView } from "@connectors/kubernetes-client/request";
import {
  invariant,
  makeFailure,
  type Failure,
  type JsonObject,
  type Settlement,
} from "@connectors/sdk";
import { extractRestartEvidence, type RestartObservation } from "./restart-facts.js";
import type { RestartPlan } from "./restart-prepare.js";
import { refuse, settleUnknown } from "./settlements.js";

/** What the observation proves, by the decision table alone. */
export function settleRestart(plan: RestartPlan, seen: RestartObservation): Settlement {
  const { facts, deployment } = extractRestartEvidence(plan, seen);
  const outcome = decideRestartSettle(facts, {
    failure_code: seen.arrival === "answered" ? "unavailable" : seen.failure.code,
  });
  const httpStatus = seen.arrival === "answered" ? seen.answer.status : null;
  if (outcome.kind === "applied" && deployment !== null) {
    return settleApplied(plan, deployment, httpStatus);
  }
  const code = outcome.code ?? "upstream_protocol";
  const stage = seen.arrival === "answered" ? "response" : "dispatch";
  if (outcome.kind === "refused") {
    const failure =
      seen.arrival === "not_sent" ? seen.failure : describeRefusal(outcome.row, code, plan);
    return refuse({ failure, stage, httpStatus });
  }
  return settleUnknown({
    code,
    message: `whether the Deployment was restarted is not known (${outcome.row})`,
    hint:
      "Look before acting: `deployments.get` shows restarted_at, and the API server's audit log " +
      "has this attempt's id; neither a marker nor healthy Pods prove whose restart it was.",
    stage,
    httpStatus,
  });
}

function settleApplied(
  { input }: RestartPlan,
  deployment: DeploymentView,
  httpStatus: number | null,
): Settlement {
  const result: JsonObject = {
    namespace: input.namespace,
    name: input.name,
    uid: input.uid,
    resource_version: deployment.resourceVersion,
    patch_accepted: true,
  };
  if (!parseRolloutRestartResult(result).ok) {
    // The server accepted it and names a version that is no version: known, and not to be used.
    const failure = makeFailure(
      "upstream_protocol",
      "the restart was accepted, and its answer has no usable resourceVersion",
      { effect: "applied", retry: "never" },
    );
    const provider = { http_status: httpStatus, resource_version: null };
    return { kind: "applied_failure", failure, provider };
  }
  return {
    kind: "applied",
    result,
    summary: null,
    provider: { http_status: httpStatus, resource_version: deployment.resourceVersion },
  };
}

function describeRefusal(row: RestartSettleRow, code: ErrorCode, plan: RestartPlan): Failure {
  const refusal = refusals[row];
  invariant(refusal !== undefined, `row ${row} of restart_settle says what it refused`);
  return makeFailure(code, refusal.message, { hint: refusal.hint(plan.input) });
}

interface Refusal {
  readonly message: string;
  readonly hint: (input: RolloutRestartInput) => string;
}

const askAdmission = (): string =>
  "Ask whoever owns the cluster's admission policies; the API server's audit log names which.";

/** What is said of each row that refuses an answer. */
const refusals: Partial<Record<RestartSettleRow, Refusal>> = {
  webhook_denied: { message: "an admission webhook denied the restart", hint: askAdmission },
  policy_denied: { message: "an admission policy denied the restart", hint: askAdmission },
  conflict: {
    message: "the Deployment is no longer at the approved resourceVersion",
    hint: ({ resource_version }) =>
      `Version ${resource_version} was approved, and it has moved on: read it with ` +
      "`deployments.get`, prepare again, have it approved again.",
  },
  invalid: {
    message: "the Deployment is not the approved one, or would not be valid",
    hint: () => "Its uid is another after a delete and a create: read it with `deployments.get`.",
  },
  not_found: {
    message: "the Deployment is not there",
    hint: ({ name, namespace }) => `There is no Deployment ${name} in namespace ${namespace}.`,
  },
  forbidden: {
    message: "the API server does not allow the restart",
    hint: ({ namespace }) => `RBAC must allow patch on deployments.apps in namespace ${namespace}.`,
  },
  unauthorized: {
    message: "the API server does not accept the credential any more",
    hint: () => "It may have expired since the review; `connectors adapters check NAME` says.",
  },
};
