import { NODES, PODS } from "../api/resource-kind.js";
import type { KubeletView } from "../exec/session.js";
import { arrayAt, objectAt, stringAt } from "../json-value.js";
import { createObject } from "../objects/create-object.js";
import { removeObject } from "../objects/remove-object.js";
import { updateObject } from "../objects/update-object.js";
import { clusterPart, type World } from "../objects/world.js";
import type { Timers } from "../ports.js";
import { formatTimestamp } from "../rules/timestamps.js";
import type { StoredObject } from "../store/stored-object.js";
import { accept } from "../verdict.js";
import { queueKeyOf, keyOf, parseQueueKey } from "./ownership.js";
import type { Pace } from "./pace.js";
import { makeRunningStatus, makeScheduledStatus, makeStartingStatus, NODE } from "./pod-status.js";
import { makeWorkQueue, type WorkQueue } from "./work-queue.js";

const KUBELET = clusterPart("kubelet");

/** What the simulated node needs. */
export interface NodeOptions {
  readonly world: World;
  readonly timers: Timers;
  readonly pace: Pace;
  readonly kubelet: KubeletView;
}

/** Gives Pods to the one node and lets them start, become ready and end at the scripted pace. */
export function startNodeAgent(options: NodeOptions): WorkQueue {
  const { world, timers, pace, kubelet } = options;
  const steps = makePodSteps(options);
  const queue = makeWorkQueue(timers, (key) => {
    const pod = world.store.get({ resource: PODS, ...parseQueueKey(key) });
    if (pod === undefined) return;
    const isDeleting = pod.metadata.deletionTimestamp !== undefined;
    if (stringAt(pod.spec, "nodeName") === "") {
      if (!isDeleting) schedule(world, pod);
      return;
    }
    if (kubelet.state() === "lost") return;
    if (isDeleting) steps.end(pod);
    else if (stringAt(pod.status, "phase") === "Pending") {
      if (arrayAt(pod.status, "containerStatuses").length === 0) steps.start(pod);
      else if (!usesImage(pod, pace.brokenImages)) steps.makeReady(pod);
    }
  });
  kubelet.onChange((state) => {
    writeNode(world, state === "up");
    if (state === "lost") return;
    for (const pod of world.store.list(PODS, "")) queue.add(queueKeyOf(keyOf(PODS, pod)));
  });
  createNode(world);
  return queue;
}

/** What happens to a Pod on its node, each step after its time. */
interface PodSteps {
  readonly start: (pod: StoredObject) => void;
  readonly makeReady: (pod: StoredObject) => void;
  readonly end: (pod: StoredObject) => void;
}

function makePodSteps({ world, timers, pace, kubelet }: NodeOptions): PodSteps {
  // What a Pod waits for, by uid and step, so that nothing is begun twice.
  const waiting = new Set<string>();
  let addresses = 1;

  const later = (pod: StoredObject, step: string, delayMs: number, run: () => void): void => {
    const name = `${pod.metadata.uid}/${step}`;
    if (waiting.has(name)) return;
    waiting.add(name);
    timers.after(delayMs, () => {
      waiting.delete(name);
      // A lost kubelet does nothing more; what it owes is looked at again when it is back.
      if (kubelet.state() === "up") run();
    });
  };

  const makeReady = (pod: StoredObject): void => {
    later(pod, "ready", pace.podReadyMs, () => {
      addresses += 1;
      const ip = `10.244.${(addresses >> 8) & 0xff}.${addresses & 0xff}`;
      const containerId = (): string =>
        Buffer.from(world.surroundings.random.bytes(32)).toString("hex");
      writeStatus(world, pod, (current) =>
        makeRunningStatus(current, timeOf(world), { ip, containerId }),
      );
    });
  };

  return {
    start: (pod) => {
      const isBroken = usesImage(pod, pace.brokenImages);
      const why = isBroken
        ? { reason: "ImagePullBackOff", message: "the image cannot be pulled" }
        : { reason: "ContainerCreating" };
      writeStatus(world, pod, (current) => makeStartingStatus(current, timeOf(world), why));
      if (!isBroken) makeReady(pod);
    },
    makeReady,
    end: (pod) => {
      const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1_000;
      later(pod, "end", Math.min(graceMs, pace.podReplaceMs), () => {
        const { namespace = "", name, uid } = pod.metadata;
        const options = { gracePeriodSeconds: 0, uid };
        removeObject(world, { kind: PODS, namespace, name, options, writer: KUBELET });
      });
    },
  };
}

function usesImage(pod: StoredObject, images: readonly string[]): boolean {
  return arrayAt(pod.spec, "containers").some((container) =>
    images.includes(stringAt(container, "image")),
  );
}

function schedule(world: World, pod: StoredObject): void {
  // The binding is the one change of a Pod's spec that is no update, and moves no generation.
  world.store.put(keyOf(PODS, pod), {
    ...pod,
    spec: { ...objectAt(pod.spec), nodeName: NODE.name },
    status: makeScheduledStatus(pod, timeOf(world)),
  });
}

function writeStatus(
  world: World,
  pod: StoredObject,
  make: (current: StoredObject) => ReturnType<typeof makeStartingStatus>,
): void {
  const { namespace = "", name, uid } = pod.metadata;
  updateObject(world, {
    kind: PODS,
    namespace,
    name,
    subresource: "status",
    writer: KUBELET,
    produce: (current) =>
      // Another Pod may have taken the name meanwhile.
      accept(current.metadata.uid === uid ? { ...current, status: make(current) } : current),
  });
}

function createNode(world: World): void {
  createObject(world, {
    kind: NODES,
    namespace: "",
    writer: KUBELET,
    object: { metadata: { name: NODE.name, labels: { "kubernetes.io/hostname": NODE.name } } },
  });
  writeNode(world, true);
}

function writeNode(world: World, ready: boolean): void {
  const now = timeOf(world);
  updateObject(world, {
    kind: NODES,
    namespace: "",
    name: NODE.name,
    subresource: "status",
    writer: KUBELET,
    produce: (current) =>
      accept({
        ...current,
        status: {
          addresses: [{ type: "InternalIP", address: NODE.address }],
          capacity: { cpu: "2", memory: "4Gi", pods: "110" },
          conditions: [
            {
              type: "Ready",
              status: ready ? "True" : "Unknown",
              lastHeartbeatTime: now,
              lastTransitionTime: now,
              reason: ready ? "KubeletReady" : "NodeStatusUnknown",
              message: ready
                ? "kubelet is posting ready status"
                : "Kubelet stopped posting node status.",
            },
          ],
          nodeInfo: { kubeletVersion: "v1.35.4", operatingSystem: "linux", architecture: "amd64" },
        },
      }),
  });
}

function timeOf(world: World): string {
  return formatTimestamp(world.surroundings.clock.nowMs());
}
