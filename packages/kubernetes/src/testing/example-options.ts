import {
  parseKubernetesConfiguration,
  parseName,
  type KubernetesConfiguration,
} from "@connectors/domain";
import { invariant, type Clock } from "@connectors/sdk";
import type { KubernetesAdapterOptions } from "../composition.js";

/** An adapter called `staging` with every operation turned on in the namespace `web`. */
export function makeExampleOptions(
  clock: Clock,
  change: Partial<Record<keyof KubernetesConfiguration, unknown>> = {},
): KubernetesAdapterOptions {
  const instance = parseName("staging");
  const configuration = parseKubernetesConfiguration({
    namespaces: ["web"],
    operations: ["pods.exec", "deployment.rollout_restart"],
    exec_subprotocols: ["v4"],
    intermediary: "none",
    ...change,
  });
  invariant(instance.ok && configuration.ok, "the example fits its models");
  return { instance: instance.value, configuration: configuration.value, clock };
}
