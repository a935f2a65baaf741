import type { ResourceKind } from "../api/resource-kind.js";
import { NAMESPACE_RULES, NODE_RULES, POD_RULES, SERVICE_RULES } from "./core-rules.js";
import { PLAIN_RULES, type KindRules } from "./kind-rules.js";
import { DEPLOYMENT_RULES, REPLICA_SET_RULES } from "./workload-rules.js";

const RULES: ReadonlyMap<string, KindRules> = new Map([
  ["Deployment", DEPLOYMENT_RULES],
  ["Namespace", NAMESPACE_RULES],
  ["Node", NODE_RULES],
  ["Pod", POD_RULES],
  ["ReplicaSet", REPLICA_SET_RULES],
  ["Service", SERVICE_RULES],
]);

/** The rules of a kind. */
export function rulesOf(kind: ResourceKind): KindRules {
  return RULES.get(kind.kind) ?? PLAIN_RULES;
}
