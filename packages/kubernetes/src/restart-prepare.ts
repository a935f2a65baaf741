import {
  parseRolloutRestartInput,
  type Intermediary,
  type KubernetesConfiguration,
  type RolloutRestartInput,
} from "@connectors/domain";
import { makeRestartRequest } from "@connectors/kubernetes-client/request";
import {
  fail,
  succeed,
  type CheckedInput,
  type JsonObject,
  type Outcome,
  type WriteRequest,
} from "@connectors/sdk";
import { acceptInput, acceptNamespace } from "./input-check.js";

/** One exact restart: the request, and what its answer is compared with. */
export interface RestartPlan {
  readonly input: RolloutRestartInput;
  readonly marker: string;
  readonly request: WriteRequest;
  readonly intermediary: Intermediary;
}

/** What the host needs to know of a restart's input; pure. */
export function checkRestart(
  input: JsonObject,
  configuration: KubernetesConfiguration,
): Outcome<CheckedInput> {
  const accepted = acceptRestart(input, configuration);
  if (!accepted.ok) return accepted;
  const { namespace, name } = accepted.value;
  return succeed({ namespace, name, command: null });
}

/**
 * The restart that this input asks for, its marker fixed from the host's clock. The marker only
 * has to differ from the one before; it proves nothing and nothing is looked up by it.
 */
export function prepareRestart(
  input: JsonObject,
  configuration: KubernetesConfiguration,
  nowMs: number,
): Outcome<RestartPlan> {
  const accepted = acceptRestart(input, configuration);
  if (!accepted.ok) return accepted;
  const { namespace, name, uid, resource_version } = accepted.value;
  const marker = String(nowMs);
  const request = makeRestartRequest({
    namespace,
    name,
    uid,
    resourceVersion: resource_version,
    marker,
  });
  const { intermediary } = configuration;
  return succeed({ input: accepted.value, marker, request, intermediary });
}

const uint64Max = 2n ** 64n - 1n;

function acceptRestart(
  input: JsonObject,
  configuration: KubernetesConfiguration,
): Outcome<RolloutRestartInput> {
  const accepted = acceptInput(parseRolloutRestartInput(input));
  if (!accepted.ok) return accepted;
  // Twenty digits can say more than 64 bits hold; the server answers such a version with a 500.
  if (BigInt(accepted.value.resource_version) > uint64Max) {
    return fail("invalid_input", "the input at /resource_version must fit in 64 bits");
  }
  const namespace = acceptNamespace(accepted.value.namespace, configuration);
  return namespace.ok ? accepted : namespace;
}
