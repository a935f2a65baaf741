import {
  operationParsers,
  type KubernetesConfiguration,
  type Name,
  type OperationName,
} from "@connectors/domain";
import {
  fail,
  invariant,
  succeed,
  unreachable,
  type Adapter,
  type CheckedInput,
  type Clock,
  type JsonObject,
  type Outcome,
  type PreparedWrite,
} from "@connectors/sdk";
import { reviewAccess } from "./access-preflight.js";
import { chooseOperations, describeConfiguration } from "./configuration.js";
import { checkDeploymentsGet, readDeploymentCoordinates } from "./deployments-get.js";
import { dispatchExec } from "./exec-dispatch.js";
import { checkExec, prepareExec } from "./exec-prepare.js";
import { settleExec } from "./exec-settle.js";
import { makePreparedWrite } from "./prepared-write.js";
import { dispatchRestart } from "./restart-dispatch.js";
import { checkRestart, prepareRestart } from "./restart-prepare.js";
import { settleRestart } from "./restart-settle.js";

/** One Kubernetes adapter as a host configured it. */
export interface KubernetesAdapterOptions {
  /** The adapter's NAME; it stands in every result's provenance. */
  readonly instance: Name;
  readonly configuration: KubernetesConfiguration;
  readonly clock: Clock;
}

type Check = (input: JsonObject, configuration: KubernetesConfiguration) => Outcome<CheckedInput>;

const checks: Readonly<Record<OperationName, Check>> = {
  "pods.exec": checkExec,
  "deployments.get": checkDeploymentsGet,
  "deployment.rollout_restart": checkRestart,
};

/**
 * The Kubernetes adapter: pure parts joined to whatever capabilities a call brings. It holds no
 * connection and no credential, and makes no request of its own accord.
 */
export function makeKubernetesAdapter(options: KubernetesAdapterOptions): Adapter {
  const { configuration } = options;
  const operations = chooseOperations(configuration);
  const advertised = new Set<string>(operations.advertised.map(({ id }) => id));
  const find = (operation: string): Outcome<OperationName> => findOperation(operation, advertised);

  return {
    describe: () => ({
      adapter: "kubernetes",
      operations: operations.advertised,
      unconfigured: operations.unconfigured,
      configuration: describeConfiguration(configuration),
    }),
    check(operation, input) {
      const found = find(operation);
      return found.ok ? checks[found.value](input, configuration) : found;
    },
    checkResult(operation, result) {
      const found = find(operation);
      if (!found.ok) return found;
      return operationParsers[found.value].parseOutput(result).ok
        ? succeed(result)
        : fail("internal", "the result does not fit the declared output");
    },
    async read(operation, input, { http, signal }) {
      const found = find(operation);
      if (!found.ok) return found;
      if (found.value !== "deployments.get") {
        return fail("forbidden", "this operation changes something; it is no read");
      }
      const nowMs = (): number => options.clock.nowMs();
      return readDeploymentCoordinates(input, { ...options, http, signal, nowMs });
    },
    async prepareWrite(request) {
      const found = find(request.operation);
      if (!found.ok) return found;
      switch (found.value) {
        case "pods.exec":
          return prepareExecWrite(request.input, options);
        case "deployment.rollout_restart":
          return prepareRestartWrite(request, configuration);
        case "deployments.get":
          return fail("forbidden", "this operation is a read; it prepares no write");
        default:
          return unreachable(found.value);
      }
    },
  };
}

function findOperation(operation: string, advertised: ReadonlySet<string>): Outcome<OperationName> {
  if (!isOperation(operation)) {
    return fail("unsupported", "the Kubernetes adapter has no such operation");
  }
  return advertised.has(operation)
    ? succeed(operation)
    : fail("forbidden", "the operation is not configured for this adapter", {
        hint: "Turn it on with `connectors adapters add NAME --allow OPERATION`.",
      });
}

function isOperation(operation: string): operation is OperationName {
  return Object.hasOwn(checks, operation);
}

/** No request: who may exec is the API server's to say, after the gate. */
function prepareExecWrite(
  input: JsonObject,
  { configuration, instance, clock }: KubernetesAdapterOptions,
): Outcome<PreparedWrite> {
  const plan = prepareExec(input, configuration);
  if (!plan.ok) return plan;
  const needs = { kind: "upgrade", bounds: plan.value.bounds } as const;
  return succeed(
    makePreparedWrite(needs, async (capability, options) => {
      invariant(capability.kind === "upgrade", "an exec is given an upgrade");
      const startedAtMs = clock.nowMs();
      const seen = await dispatchExec(plan.value, capability.upgrade, options);
      return settleExec(plan.value, seen, { instance, startedAtMs, endedAtMs: clock.nowMs() });
    }),
  );
}

async function prepareRestartWrite(
  request: Parameters<Adapter["prepareWrite"]>[0],
  configuration: KubernetesConfiguration,
): Promise<Outcome<PreparedWrite>> {
  const plan = prepareRestart(request.input, configuration, request.nowMs);
  if (!plan.ok) return plan;
  const { namespace, name } = plan.value.input;
  const allowed = await reviewAccess(
    {
      verb: "patch",
      group: "apps",
      version: "v1",
      resource: "deployments",
      subresource: "",
      namespace,
      name,
    },
    request,
  );
  if (!allowed.ok) return allowed;
  return succeed(
    makePreparedWrite({ kind: "write" }, async (capability, options) => {
      invariant(capability.kind === "write", "a restart is given a write");
      return settleRestart(
        plan.value,
        await dispatchRestart(plan.value, capability.write, options),
      );
    }),
  );
}
