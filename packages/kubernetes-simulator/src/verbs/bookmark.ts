import { groupVersionOf, type ResourceKind } from "../api/resource-kind.js";
import type { JsonObject } from "../json-value.js";
import { asStored, type StoredObject } from "../store/stored-object.js";

const EMPTY_TEMPLATE: JsonObject = { metadata: {}, spec: { containers: null } };

// What the server's bookmarks hold beside their metadata: the zero value of the kind, in which
// required fields are null.
const SKELETONS: ReadonlyMap<string, JsonObject> = new Map([
  [
    "Deployment",
    { spec: { replicas: 0, selector: null, template: EMPTY_TEMPLATE, strategy: {} }, status: {} },
  ],
  [
    "ReplicaSet",
    {
      spec: { replicas: 0, selector: null, template: EMPTY_TEMPLATE },
      status: { replicas: 0 },
    },
  ],
  ["Pod", { spec: { containers: null }, status: {} }],
  ["Namespace", { spec: {}, status: {} }],
  ["Service", { spec: {}, status: { loadBalancer: {} } }],
  ["Node", { spec: {}, status: {} }],
]);

/** The object of a BOOKMARK event at `version`. */
export function makeBookmark(
  kind: ResourceKind,
  version: number,
  annotations: JsonObject,
): StoredObject {
  return asStored({
    kind: kind.kind,
    apiVersion: groupVersionOf(kind),
    metadata: {
      resourceVersion: String(version),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    ...SKELETONS.get(kind.kind),
  });
}
