import { DEPLOYMENTS, NAMESPACES, PODS, REPLICA_SETS } from "../api/resource-kind.js";
import type { KubeletView } from "../exec/session.js";
import type { World } from "../objects/world.js";
import type { Timers } from "../ports.js";
import { isSameResource, type Revision } from "../store/object-store.js";
import type { StoredObject } from "../store/stored-object.js";
import { startDeploymentController } from "./deployment-controller.js";
import { startGarbageCollector } from "./garbage-collector.js";
import { startNamespaceController } from "./namespace-controller.js";
import { startNodeAgent } from "./node-agent.js";
import { controllerOf, queueKeyOf } from "./ownership.js";
import type { Pace } from "./pace.js";
import { startReplicaSetController } from "./replica-set-controller.js";

/** What the controllers work on. */
export interface ControllerOptions {
  readonly world: World;
  readonly timers: Timers;
  readonly pace: Pace;
  readonly kubelet: KubeletView;
}

/** Starts everything in the cluster that acts by itself; the returned function stops it. */
export function startControllers(options: ControllerOptions): () => void {
  const { world, timers } = options;
  const deployments = startDeploymentController(world, timers);
  const replicaSets = startReplicaSetController(world, timers);
  const namespaces = startNamespaceController(world, timers);
  const collect = startGarbageCollector(world, timers);
  const pods = startNodeAgent(options);

  const addOwner = (object: StoredObject): void => {
    const owner = controllerOf(object);
    if (owner === undefined) return;
    const key = queueKeyOf({ namespace: object.metadata.namespace ?? "", name: owner.name });
    if (owner.kind === REPLICA_SETS.kind) replicaSets.add(key);
    if (owner.kind === DEPLOYMENTS.kind) deployments.add(key);
  };

  return world.store.subscribe((revision: Revision) => {
    const { key, object, type } = revision;
    collect(revision);
    addOwner(object);
    if (type === "DELETED" && key.namespace !== "") namespaces.add(key.namespace);
    if (isSameResource(key.resource, NAMESPACES)) namespaces.add(key.name);
    if (isSameResource(key.resource, PODS)) pods.add(queueKeyOf(key));
    if (isSameResource(key.resource, REPLICA_SETS)) replicaSets.add(queueKeyOf(key));
    if (isSameResource(key.resource, DEPLOYMENTS)) deployments.add(queueKeyOf(key));
  });
}
