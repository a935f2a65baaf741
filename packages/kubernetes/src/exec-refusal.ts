import { parseStatus } from "@connectors/kubernetes-client/request";
import type { ExecPlan } from "./exec-prepare.js";

/** What to do about an exec that was answered without a stream, by what the answer tells. */
export function hintRefusedExec(status: number, body: Uint8Array, plan: ExecPlan): string | null {
  const { namespace, pod } = plan.input;
  switch (status) {
    case 400:
      return `Pod ${pod} has no such container, or it does not run: read the Pod, then prepare again.`;
    case 404:
      return `There is no Pod ${pod} in namespace ${namespace}: read it first, then prepare again.`;
    case 403:
      return hintForbidden(body, namespace);
    default:
      return null;
  }
}

function hintForbidden(body: Uint8Array, namespace: string): string {
  // Only what shape the message has is told; its text is the provider's.
  const parsed = parseStatus(body);
  const message = parsed.ok ? (parsed.value.message ?? "") : null;
  const where = `on pods/exec in namespace ${namespace}`;
  if (message === null) {
    return "The answer is no Status: a proxy, or an offer of subprotocols that the cluster lacks.";
  }
  if (message.includes('cannot get resource "pods/exec"')) {
    return `RBAC must allow get ${where}, and from Kubernetes v1.35 create as well.`;
  }
  // v1.35 names no verb when create alone is missing: the message just ends.
  if (message.includes('cannot create resource "pods/exec"') || /is forbidden:\s*$/.test(message)) {
    return `RBAC must allow create ${where} (Kubernetes v1.35 wants get and create).`;
  }
  return `RBAC must allow get and create ${where}, and admission must not deny it.`;
}
