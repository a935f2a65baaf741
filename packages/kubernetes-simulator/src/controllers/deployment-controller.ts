import { DEPLOYMENTS, REPLICA_SETS } from "../api/resource-kind.js";
import { equalJson, numberAt, objectAt, withMember, type JsonObject } from "../json-value.js";
import { createObject } from "../objects/create-object.js";
import { hashName } from "../objects/identity.js";
import { removeObject } from "../objects/remove-object.js";
import { updateObject } from "../objects/update-object.js";
import { clusterPart, type World } from "../objects/world.js";
import type { Timers } from "../ports.js";
import type { StoredObject } from "../store/stored-object.js";
import { accept } from "../verdict.js";
import { makeDeploymentStatus, noteNewReplicaSet } from "./deployment-status.js";
import { controlledBy, makeControllerReference, parseQueueKey } from "./ownership.js";
import { planFresh, planOldLoss, resolveFenceposts, type RolloutCounts } from "./rollout-plan.js";
import { makeWorkQueue, type WorkQueue } from "./work-queue.js";

const WRITER = clusterPart("kube-controller-manager");
const HASH_LABEL = "pod-template-hash";
const REVISION = "deployment.kubernetes.io/revision";
const DESIRED = "deployment.kubernetes.io/desired-replicas";
const MAXIMUM = "deployment.kubernetes.io/max-replicas";

/** Rolls each Deployment to its present template and keeps its status true. */
export function startDeploymentController(world: World, timers: Timers): WorkQueue {
  const queue = makeWorkQueue(timers, (key) => {
    const place = { resource: DEPLOYMENTS, ...parseQueueKey(key) };
    const deployment = world.store.get(place);
    if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
    const paused = objectAt(deployment.spec)["paused"] === true;
    const fresh =
      findFresh(world, deployment) ?? (paused ? undefined : makeFresh(world, deployment));
    if (fresh !== undefined) roll(world, deployment, fresh, paused);
    const now = world.store.get(place);
    if (now === undefined) return;
    writeStatus(world, now);
    const deadline = numberAt(now.spec, "progressDeadlineSeconds");
    if (deadline !== undefined && !isSettled(world.store.get(place))) {
      queue.addAfter(key, deadline * 1_000 + 1_000);
    }
  });
  return queue;
}

function isSettled(deployment: StoredObject | undefined): boolean {
  const wanted = numberAt(deployment?.spec, "replicas");
  return (
    numberAt(deployment?.status, "updatedReplicas") === wanted &&
    numberAt(deployment?.status, "availableReplicas") === wanted
  );
}

function setsOf(world: World, deployment: StoredObject): readonly StoredObject[] {
  return controlledBy(world.store, REPLICA_SETS, deployment);
}

function findFresh(world: World, deployment: StoredObject): StoredObject | undefined {
  const template = objectAt(deployment.spec, "template");
  return setsOf(world, deployment).find((set) => equalJson(templateOf(set), template));
}

// A ReplicaSet's template as its Deployment has it: without the hash that tells sets apart.
function templateOf(set: StoredObject): JsonObject {
  const template = objectAt(set.spec, "template");
  const metadata = objectAt(template, "metadata");
  const labels = withMember(objectAt(metadata, "labels"), HASH_LABEL, undefined);
  return { ...template, metadata: { ...metadata, labels } };
}

function makeFresh(world: World, deployment: StoredObject): StoredObject | undefined {
  const { name, namespace = "" } = deployment.metadata;
  const template = objectAt(deployment.spec, "template");
  const hash = hashName(JSON.stringify(template));
  const metadata = objectAt(template, "metadata");
  const labels = { ...objectAt(metadata, "labels"), [HASH_LABEL]: hash };
  const selector = objectAt(deployment.spec, "selector");
  const counts = countRollout(deployment, undefined, setsOf(world, deployment));
  const created = createObject(world, {
    kind: REPLICA_SETS,
    namespace,
    writer: WRITER,
    object: {
      metadata: {
        name: `${name}-${hash}`,
        labels,
        annotations: scaleAnnotations(deployment),
        ownerReferences: [makeControllerReference(DEPLOYMENTS, deployment)],
      },
      spec: {
        replicas: planFresh(counts, fencepostsOf(deployment)),
        selector: {
          ...selector,
          matchLabels: { ...objectAt(selector, "matchLabels"), [HASH_LABEL]: hash },
        },
        template: { ...template, metadata: { ...metadata, labels } },
        ...(objectAt(deployment.spec)["minReadySeconds"] === undefined
          ? {}
          : { minReadySeconds: objectAt(deployment.spec)["minReadySeconds"] ?? 0 }),
      },
    },
  });
  return created.ok ? created.value : undefined;
}

function roll(world: World, deployment: StoredObject, fresh: StoredObject, paused: boolean): void {
  const isNew = writeRevision(world, deployment, fresh);
  if (isNew) return;
  const sets = setsOf(world, deployment);
  const old = sets.filter((set) => set.metadata.uid !== fresh.metadata.uid);
  const counts = countRollout(deployment, fresh, sets);
  if (paused) {
    if (counts.old === 0) scale(world, deployment, fresh, counts.wanted);
    return;
  }
  const isRecreate = objectAt(deployment.spec, "strategy")["type"] === "Recreate";
  if (isRecreate) {
    for (const set of old) scale(world, deployment, set, 0);
    const left = old.some((set) => hasPods(set));
    if (!left) scale(world, deployment, fresh, counts.wanted);
  } else {
    const posts = fencepostsOf(deployment);
    const target = planFresh(counts, posts);
    if (target !== counts.fresh) scale(world, deployment, fresh, target);
    else shrink(world, deployment, old, planOldLoss(counts, posts));
  }
  dropHistory(world, deployment, old);
}

function hasPods(set: StoredObject): boolean {
  return (
    (numberAt(set.status, "replicas") ?? 0) > 0 ||
    (numberAt(set.status, "terminatingReplicas") ?? 0) > 0
  );
}

// Unhealthy Pods of the oldest sets first: a set's own controller picks them.
function shrink(
  world: World,
  deployment: StoredObject,
  old: readonly StoredObject[],
  loss: number,
): void {
  let left = loss;
  const byRevision = old.toSorted((one, other) => revisionOf(one) - revisionOf(other));
  for (const set of byRevision) {
    const size = numberAt(set.spec, "replicas") ?? 0;
    const taken = Math.min(size, left);
    if (taken > 0) scale(world, deployment, set, size - taken);
    left -= taken;
  }
}

function scale(world: World, deployment: StoredObject, set: StoredObject, replicas: number): void {
  updateObject(world, {
    kind: REPLICA_SETS,
    namespace: set.metadata.namespace ?? "",
    name: set.metadata.name,
    subresource: "",
    writer: WRITER,
    produce: (current) =>
      accept({
        ...current,
        metadata: {
          ...current.metadata,
          annotations: { ...current.metadata.annotations, ...scaleAnnotations(deployment) },
        },
        spec: { ...objectAt(current.spec), replicas },
      }),
  });
}

function scaleAnnotations(deployment: StoredObject): { readonly [key: string]: string } {
  const wanted = numberAt(deployment.spec, "replicas") ?? 1;
  const { maxSurge } = fencepostsOf(deployment);
  return { [DESIRED]: String(wanted), [MAXIMUM]: String(wanted + maxSurge) };
}

// Gives the present set the highest revision and tells the Deployment; true when it was news.
function writeRevision(world: World, deployment: StoredObject, fresh: StoredObject): boolean {
  const highest = Math.max(
    0,
    ...setsOf(world, deployment)
      .filter((set) => set.metadata.uid !== fresh.metadata.uid)
      .map(revisionOf),
  );
  const revision = Math.max(revisionOf(fresh), highest + 1);
  if (
    revisionOf(fresh) === revision &&
    deployment.metadata.annotations?.[REVISION] === String(revision)
  ) {
    return false;
  }
  const annotate = (object: StoredObject): StoredObject => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [REVISION]: String(revision) },
    },
  });
  const namespace = deployment.metadata.namespace ?? "";
  updateObject(world, {
    kind: REPLICA_SETS,
    namespace,
    name: fresh.metadata.name,
    subresource: "",
    writer: WRITER,
    produce: (current) => accept(annotate(current)),
  });
  // Through the status, so that the annotation moves no generation.
  updateObject(world, {
    kind: DEPLOYMENTS,
    namespace,
    name: deployment.metadata.name,
    subresource: "status",
    writer: WRITER,
    produce: (current) =>
      accept({
        ...annotate(current),
        status: noteNewReplicaSet(
          objectAt(current.status),
          fresh.metadata.name,
          world.surroundings.clock.nowMs(),
        ),
      }),
  });
  return true;
}

function writeStatus(world: World, deployment: StoredObject): void {
  const status = makeDeploymentStatus({
    deployment,
    fresh: findFresh(world, deployment),
    sets: setsOf(world, deployment),
    nowMs: world.surroundings.clock.nowMs(),
  });
  updateObject(world, {
    kind: DEPLOYMENTS,
    namespace: deployment.metadata.namespace ?? "",
    name: deployment.metadata.name,
    subresource: "status",
    writer: WRITER,
    produce: (current) => accept({ ...current, status }),
  });
}

function dropHistory(world: World, deployment: StoredObject, old: readonly StoredObject[]): void {
  const limit = numberAt(deployment.spec, "revisionHistoryLimit") ?? 10;
  const idle = old
    .filter((set) => (numberAt(set.spec, "replicas") ?? 0) === 0 && !hasPods(set))
    .toSorted((one, other) => revisionOf(one) - revisionOf(other));
  for (const set of idle.slice(0, Math.max(0, idle.length - limit))) {
    removeObject(world, {
      kind: REPLICA_SETS,
      namespace: set.metadata.namespace ?? "",
      name: set.metadata.name,
      options: {},
      writer: WRITER,
    });
  }
}

function countRollout(
  deployment: StoredObject,
  fresh: StoredObject | undefined,
  sets: readonly StoredObject[],
): RolloutCounts {
  const old = sets.filter((set) => set.metadata.uid !== fresh?.metadata.uid);
  const present = sets.find((set) => set.metadata.uid === fresh?.metadata.uid);
  const sum = (read: (set: StoredObject) => number | undefined): number =>
    old.reduce((total, set) => total + (read(set) ?? 0), 0);
  return {
    wanted: numberAt(deployment.spec, "replicas") ?? 1,
    fresh: numberAt(present?.spec, "replicas") ?? 0,
    freshAvailable: numberAt(present?.status, "availableReplicas") ?? 0,
    old: sum((set) => numberAt(set.spec, "replicas")),
    oldAvailable: sum((set) =>
      Math.min(numberAt(set.status, "availableReplicas") ?? 0, numberAt(set.spec, "replicas") ?? 0),
    ),
  };
}

function fencepostsOf(deployment: StoredObject): ReturnType<typeof resolveFenceposts> {
  return resolveFenceposts(
    objectAt(deployment.spec, "strategy"),
    numberAt(deployment.spec, "replicas") ?? 1,
  );
}

function revisionOf(set: StoredObject): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0);
}
