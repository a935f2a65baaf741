import {
  operationDeclarations,
  type KubernetesConfiguration,
  type OperationDeclaration,
} from "@connectors/domain";
import { fail, succeed, type JsonObject, type Outcome } from "@connectors/sdk";

/** What one configuration turns on and what it leaves off. */
export interface ConfiguredOperations {
  readonly advertised: readonly OperationDeclaration[];
  readonly unconfigured: readonly string[];
}

/** The configuration, when every operation that it turns on is one of this adapter's. */
export function checkKubernetesConfiguration(
  configuration: KubernetesConfiguration,
): Outcome<KubernetesConfiguration> {
  const known = new Set<string>(operationDeclarations.map(({ id }) => id));
  return configuration.operations.every((id) => known.has(id))
    ? succeed(configuration)
    : fail("invalid_input", "the configuration turns on an operation that this adapter lacks", {
        hint: `It has ${[...known].join(", ")}.`,
      });
}

/** Reads are on for the configured namespaces; a write is on when it is named. */
export function chooseOperations(configuration: KubernetesConfiguration): ConfiguredOperations {
  const named = new Set<string>(configuration.operations);
  const isOn = ({ id, profile }: OperationDeclaration): boolean =>
    profile !== "mutation" || named.has(id);
  return {
    advertised: operationDeclarations.filter(isOn),
    unconfigured: operationDeclarations
      .filter((declaration) => !isOn(declaration))
      .map(({ id }) => id),
  };
}

/** What the configuration revision is made from: order does not matter where it means nothing. */
export function describeConfiguration(configuration: KubernetesConfiguration): JsonObject {
  return {
    namespaces: configuration.namespaces.toSorted(),
    operations: configuration.operations.toSorted(),
    // Here it does: it is the order of the offer.
    exec_subprotocols: [...configuration.exec_subprotocols],
    intermediary: configuration.intermediary,
  };
}
