import {
  bodyBytesMax,
  parseDeploymentsGetInput,
  parseDeploymentsGetResult,
  type DeploymentsGetInput,
  type KubernetesConfiguration,
  type Name,
} from "@connectors/domain";
import {
  makeDeploymentTarget,
  parseDeployment,
  type DeploymentView,
} from "@connectors/kubernetes-client/request";
import {
  fail,
  succeed,
  type AuthenticatedHttp,
  type CheckedInput,
  type JsonObject,
  type Outcome,
} from "@connectors/sdk";
import { refuseAnswer } from "./answer-refusal.js";
import { acceptInput, acceptNamespace } from "./input-check.js";

/** What the host needs to know of the read's input; pure. */
export function checkDeploymentsGet(
  input: JsonObject,
  configuration: KubernetesConfiguration,
): Outcome<CheckedInput> {
  const accepted = acceptDeploymentsGet(input, configuration);
  return accepted.ok ? succeed({ ...accepted.value, command: null }) : accepted;
}

/** The exact coordinates of one Deployment, by one GET. */
export async function readDeploymentCoordinates(
  input: JsonObject,
  context: {
    readonly configuration: KubernetesConfiguration;
    readonly instance: Name;
    readonly http: AuthenticatedHttp;
    readonly signal: AbortSignal;
    readonly nowMs: () => number;
  },
): Promise<Outcome<JsonObject>> {
  const accepted = acceptDeploymentsGet(input, context.configuration);
  if (!accepted.ok) return accepted;
  const asked = accepted.value;
  const target = makeDeploymentTarget(asked);
  const answer = await context.http.get(target, {
    accept: "application/json",
    signal: context.signal,
  });
  if (!answer.ok) return answer;
  const { status, body } = answer.value;
  if (status !== 200) {
    return refuseAnswer(status, {
      act: `read Deployment ${asked.name} in namespace ${asked.namespace}`,
      permission: `get on deployments.apps in namespace ${asked.namespace}`,
    });
  }
  const parsed = parseDeployment(body, bodyBytesMax);
  if (!parsed.ok) return parsed;
  const view = parsed.value;
  if (view.namespace !== asked.namespace || view.name !== asked.name) {
    return fail("upstream_protocol", "the API server answered with another Deployment");
  }
  const result = describeDeployment(view, {
    instance: context.instance,
    resource: `/${target.segments.join("/")}`,
    observed_at_ms: context.nowMs(),
    source_revision: view.resourceVersion,
  });
  return parseDeploymentsGetResult(result).ok
    ? succeed(result)
    : fail("upstream_protocol", "the Deployment does not fit the model of the answer");
}

function acceptDeploymentsGet(
  input: JsonObject,
  configuration: KubernetesConfiguration,
): Outcome<DeploymentsGetInput> {
  const accepted = acceptInput(parseDeploymentsGetInput(input));
  if (!accepted.ok) return accepted;
  const namespace = acceptNamespace(accepted.value.namespace, configuration);
  return namespace.ok ? accepted : namespace;
}

function describeDeployment(view: DeploymentView, provenance: JsonObject): JsonObject {
  return {
    namespace: view.namespace,
    name: view.name,
    uid: view.uid,
    resource_version: view.resourceVersion,
    generation: view.generation,
    observed_generation: view.observedGeneration,
    replicas: { ...view.replicas },
    paused: view.paused,
    images: [...view.images],
    restarted_at: view.restartedAt,
    provenance,
  };
}
