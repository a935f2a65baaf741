import type { DnsLabel, DnsSubdomain } from "@connectors/domain";
import { succeed, type HttpTarget, type Outcome } from "@connectors/sdk";
import { isOfKind, parseWireDocument, refuseAnswer } from "./wire-document.js";
import type { WireObject } from "./wire-object.js";

/** Where one Deployment is; both names are valid path segments by their types. */
export interface DeploymentName {
  readonly namespace: DnsLabel;
  readonly name: DnsSubdomain;
}

/** The annotation of a Pod template that restarts its Pods when it changes. */
export const restartedAtAnnotation = "kubectl.kubernetes.io/restartedAt";

/** What is read of a Deployment; members that Go leaves out when zero read as zero. */
export interface DeploymentView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly observedGeneration: number;
  readonly replicas: {
    readonly wanted: number;
    readonly updated: number;
    readonly ready: number;
    readonly available: number;
  };
  readonly paused: boolean;
  /** Of init containers, then of containers, in the order of the Pod template. */
  readonly images: readonly string[];
  /** The value of `restartedAtAnnotation` on the Pod template. */
  readonly restartedAt: string | null;
}

/** `/apis/apps/v1/namespaces/NAMESPACE/deployments/NAME`. */
export function makeDeploymentTarget({ namespace, name }: DeploymentName): HttpTarget {
  return { segments: ["apis", "apps", "v1", "namespaces", namespace, "deployments", name] };
}

/**
 * The Deployment of an answer, which has to call itself `apps/v1` `Deployment` and to have a
 * namespace, a name, a uid and a resourceVersion. Members that are not read may be anything.
 */
export function parseDeployment(bytes: Uint8Array, bytesMax: number): Outcome<DeploymentView> {
  const parsed = parseWireDocument(bytes, bytesMax);
  if (!parsed.ok) return parsed;
  const document = parsed.value;
  if (!isOfKind(document, { apiVersion: "apps/v1", kind: "Deployment" })) {
    return refuseAnswer("the answer is not an apps/v1 Deployment");
  }
  const metadata = document.object("metadata");
  const spec = document.object("spec");
  const status = document.object("status");
  const template = spec.object("template");
  const view: DeploymentView = {
    namespace: metadata.text("namespace") ?? "",
    name: metadata.text("name") ?? "",
    uid: metadata.text("uid") ?? "",
    resourceVersion: metadata.text("resourceVersion") ?? "",
    generation: metadata.integer("generation") ?? 0,
    observedGeneration: status.integer("observedGeneration") ?? 0,
    replicas: {
      // The API server's own default for a Deployment that says nothing.
      wanted: spec.integer("replicas") ?? 1,
      updated: status.integer("updatedReplicas") ?? 0,
      ready: status.integer("readyReplicas") ?? 0,
      available: status.integer("availableReplicas") ?? 0,
    },
    paused: spec.boolean("paused") ?? false,
    images: readImages(template.object("spec")),
    restartedAt: template.object("metadata").object("annotations").text(restartedAtAnnotation),
  };
  if (!document.wellTyped()) return refuseAnswer("the Deployment is malformed");
  const identity = [view.namespace, view.name, view.uid, view.resourceVersion];
  return identity.includes("") ? refuseAnswer("the Deployment lacks its identity") : succeed(view);
}

function readImages(podSpec: WireObject): readonly string[] {
  return [...podSpec.objects("initContainers"), ...podSpec.objects("containers")]
    .map((container) => container.text("image"))
    .filter((image) => image !== null);
}
