import type { ResourceVersion, Uid } from "@connectors/domain";
import { encodeCanonical, type WriteRequest } from "@connectors/sdk";
import { makeDeploymentTarget, restartedAtAnnotation, type DeploymentName } from "./deployment.js";

/** One restart of one Deployment at one version. */
export interface Restart extends DeploymentName {
  /** Never empty by its type: the server applies a patch with an empty uid without the guard. */
  readonly uid: Uid;
  readonly resourceVersion: ResourceVersion;
  /** The new value of the annotation. */
  readonly marker: string;
}

/**
 * The one PATCH of a restart: a strategic merge of uid, resourceVersion and the annotation, and of
 * nothing else. The server compares uid and resourceVersion with the object's own.
 */
export function makeRestartRequest(restart: Restart): WriteRequest {
  const body = encodeCanonical({
    metadata: { uid: restart.uid, resourceVersion: restart.resourceVersion },
    spec: { template: { metadata: { annotations: { [restartedAtAnnotation]: restart.marker } } } },
  });
  return {
    ...makeDeploymentTarget(restart),
    method: "PATCH",
    query: [["fieldManager", "connectors"]],
    contentType: "application/strategic-merge-patch+json",
    accept: "application/json",
    body: new TextEncoder().encode(body),
  };
}
