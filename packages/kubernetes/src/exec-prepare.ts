import {
  execMessageBytesMax,
  execOutputBytesDefault,
  execStreamBytesMax,
  execTimeoutMarginMs,
  execTimeoutSDefault,
  parsePodsExecInput,
  type ExecSubprotocol,
  type KubernetesConfiguration,
  type PodsExecInput,
} from "@connectors/domain";
import { execSubprotocolNames, makeExecTarget } from "@connectors/kubernetes-client/request";
import {
  succeed,
  type CheckedInput,
  type HttpTarget,
  type JsonObject,
  type Outcome,
  type UpgradeBounds,
} from "@connectors/sdk";
import { acceptInput, acceptNamespace } from "./input-check.js";

/** One exact exec: everything that will be sent, and what is kept of the answer. */
export interface ExecPlan {
  readonly input: PodsExecInput;
  readonly request: HttpTarget & { readonly subprotocols: readonly string[] };
  readonly offered: readonly ExecSubprotocol[];
  readonly bounds: UpgradeBounds;
  /** Kept of stdout and stderr each. */
  readonly outputBytesMax: number;
}

/** The exec that this input asks for; `invalid_input` or `forbidden`, and never a request. */
export function prepareExec(
  input: JsonObject,
  configuration: KubernetesConfiguration,
): Outcome<ExecPlan> {
  const accepted = acceptExec(input, configuration);
  if (!accepted.ok) return accepted;
  const exec = accepted.value;
  const offered = configuration.exec_subprotocols;
  return succeed({
    input: exec,
    request: {
      ...makeExecTarget(exec),
      subprotocols: offered.map((protocol) => execSubprotocolNames[protocol]),
    },
    offered,
    bounds: {
      messageBytesMax: execMessageBytesMax,
      totalBytesMax: execStreamBytesMax,
      timeoutMs: timeoutMs(exec),
    },
    outputBytesMax: exec.max_output_bytes ?? execOutputBytesDefault,
  });
}

/** What the host needs to know of an exec's input. */
export function checkExec(
  input: JsonObject,
  configuration: KubernetesConfiguration,
): Outcome<CheckedInput> {
  const accepted = acceptExec(input, configuration);
  if (!accepted.ok) return accepted;
  const { namespace, pod, command } = accepted.value;
  const providerMs = timeoutMs(accepted.value);
  return succeed({
    namespace,
    name: pod,
    command,
    limits: { execution_ms: providerMs + execTimeoutMarginMs, provider_ms: providerMs },
  });
}

function acceptExec(
  input: JsonObject,
  configuration: KubernetesConfiguration,
): Outcome<PodsExecInput> {
  const accepted = acceptInput(parsePodsExecInput(input));
  if (!accepted.ok) return accepted;
  const namespace = acceptNamespace(accepted.value.namespace, configuration);
  return namespace.ok ? accepted : namespace;
}

function timeoutMs({ timeout_seconds }: PodsExecInput): number {
  return (timeout_seconds ?? execTimeoutSDefault) * 1000;
}
