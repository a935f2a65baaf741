import type { Authorizer, Identity } from "../access/authorizer.js";
import type { ResourceAccess } from "../access/rule.js";
import { DEPLOYMENTS, PODS, REPLICA_SETS } from "../api/resource-kind.js";
import type { ExecPod } from "../exec/session.js";
import { arrayAt, isJsonObject, stringAt } from "../json-value.js";
import type { World } from "../objects/world.js";
import { badRequest, forbiddenObject, notFound } from "../refusals.js";
import type { Status } from "../status.js";
import type { StoredObject } from "../store/stored-object.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import { isTrue, type RequestInfo, type ResourceInfo } from "./request-info.js";

/** What an exec asks for, once everything about it has been checked but the upgrade. */
export interface ExecRequest {
  readonly pod: ExecPod;
  readonly container: string;
  readonly containerRunning: boolean;
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** Whether a request is for `pods/…/exec`. */
export function isExec(info: RequestInfo): info is ResourceInfo {
  return (
    info.kind === "resource" &&
    info.group === "" &&
    info.resource === PODS.plural &&
    info.subresource === "exec" &&
    !info.overlong
  );
}

/** What an exec by somebody who may make the request comes to, but for its upgrade. */
export function checkExec(
  { authorizer, world }: { readonly authorizer: Authorizer; readonly world: World },
  identity: Identity,
  info: ResourceInfo,
  query: URLSearchParams,
): Verdict<ExecRequest> {
  const refusal = info.verb === "get" ? refuseWithoutCreate(authorizer, identity, info) : undefined;
  return refusal === undefined ? parseExec(world, info, query) : refuse(refusal);
}

// Whoever may `get` must also be allowed to `create`, and is not told which was missing.
function refuseWithoutCreate(
  authorizer: Authorizer,
  identity: Identity,
  info: ResourceInfo,
): Status | undefined {
  const access: ResourceAccess = { ...info, verb: "create" };
  if (authorizer.allowsResource(identity, access)) return undefined;
  return forbiddenObject(PODS, info.name, "");
}

// Finds the Pod and the container that an exec is for.
function parseExec(world: World, info: ResourceInfo, query: URLSearchParams): Verdict<ExecRequest> {
  const { namespace, name } = info;
  const pod = world.store.get({ resource: PODS, namespace, name });
  if (pod === undefined) return refuse(notFound(PODS, name));
  const container = chooseContainer(pod, query.get("container") ?? "");
  if (!container.ok) return container;
  if (stringAt(pod.spec, "nodeName") === "") {
    return refuse(badRequest(`pod ${name} does not have a host assigned`));
  }
  return accept({
    pod: describePod(world, pod),
    container: container.value,
    containerRunning: isRunning(pod, container.value),
    command: query.getAll("command"),
    stdin: isTrue(query.get("stdin")),
    stdout: isTrue(query.get("stdout")),
    stderr: isTrue(query.get("stderr")),
    tty: isTrue(query.get("tty")),
  });
}

function chooseContainer(pod: StoredObject, wanted: string): Verdict<string> {
  const names = ["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
    arrayAt(pod.spec, list).map((container) => stringAt(container, "name")),
  );
  const { name } = pod.metadata;
  if (wanted !== "") {
    return names.includes(wanted)
      ? accept(wanted)
      : refuse(badRequest(`container ${wanted} is not valid for pod ${name}`));
  }
  const own = arrayAt(pod.spec, "containers").map((container) => stringAt(container, "name"));
  const [only, ...others] = own;
  if (only !== undefined && others.length === 0) return accept(only);
  const chosen = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (chosen !== undefined && own.includes(chosen)) return accept(chosen);
  const choices = own.join(" ");
  return refuse(
    badRequest(`a container name must be specified for pod ${name}, choose one of: [${choices}]`),
  );
}

function isRunning(pod: StoredObject, container: string): boolean {
  return arrayAt(pod.status, "containerStatuses")
    .filter(isJsonObject)
    .some(
      (status) =>
        status["name"] === container && stringAt(status, "state", "running", "startedAt") !== "",
    );
}

function describePod(world: World, pod: StoredObject): ExecPod {
  const deployment = deploymentOf(world, pod);
  return {
    namespace: pod.metadata.namespace ?? "",
    name: pod.metadata.name,
    uid: pod.metadata.uid,
    labels: pod.metadata.labels ?? {},
    ...(deployment === undefined ? {} : { deployment }),
  };
}

function deploymentOf(world: World, pod: StoredObject): string | undefined {
  const namespace = pod.metadata.namespace ?? "";
  const owner = pod.metadata.ownerReferences?.find(({ kind }) => kind === REPLICA_SETS.kind);
  if (owner === undefined) return undefined;
  const set = world.store.get({ resource: REPLICA_SETS, namespace, name: owner.name });
  return set?.metadata.ownerReferences?.find(({ kind }) => kind === DEPLOYMENTS.kind)?.name;
}

/** Aborts when the Pod is removed, or replaced by another of its name; stops watching by `stop`. */
export function followPod(
  world: World,
  pod: ExecPod,
): { readonly deleted: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const stop = world.store.subscribe(({ type, key, object }) => {
    if (key.resource.plural !== PODS.plural || type !== "DELETED") return;
    if (object.metadata.uid === pod.uid) controller.abort();
  });
  return { deleted: controller.signal, stop };
}
