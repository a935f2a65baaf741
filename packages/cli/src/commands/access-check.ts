import {
  makeAccessReview,
  parseAccessReview,
  type AccessTarget,
} from "@connectors/kubernetes-client/request";
import type { FrozenWrite } from "@connectors/runtime";
import {
  fail,
  succeed,
  type CapturedConnection,
  type JsonObject,
  type Outcome,
} from "@connectors/sdk";
import { readFrozenInput } from "./frozen-input.js";
import type { OpenedHost } from "../composition/open-host.js";

function text(input: JsonObject, member: string): string {
  const value = input[member];
  return typeof value === "string" ? value : "";
}

/** The accesses that the API server wants of one operation's request. */
export function listAccesses(operation: string, input: JsonObject): readonly AccessTarget[] {
  const namespace = text(input, "namespace");
  const restart = { group: "apps", version: "v1", resource: "deployments", subresource: "" };
  const exec = { group: "", version: "v1", resource: "pods", subresource: "exec" };
  switch (operation) {
    case "deployment.rollout_restart":
      return [{ verb: "patch", ...restart, namespace, name: text(input, "name") }];
    case "deployments.get":
      return [{ verb: "get", ...restart, namespace, name: text(input, "name") }];
    case "pods.exec":
      return ["get", "create"].map((verb) => ({
        verb,
        ...exec,
        namespace,
        name: text(input, "pod"),
      }));
    default:
      return [];
  }
}

/** Asks one SelfSubjectAccessReview; true when it is allowed. */
export async function askAccess(
  captured: CapturedConnection,
  target: AccessTarget,
  signal: AbortSignal,
): Promise<Outcome<boolean>> {
  const review = makeAccessReview(target);
  const answer = await captured.check(review.path).check(review.body, { signal });
  if (!answer.ok) return answer;
  if (answer.value.status !== 201) {
    return fail("upstream_protocol", "the access review was not answered as one");
  }
  const verdict = parseAccessReview(answer.value.body, target);
  return verdict.ok ? succeed(verdict.value === "allowed") : verdict;
}

/** `forbidden`, with the missing verb, when RBAC would refuse what is frozen. */
export async function checkAccess(
  opened: OpenedHost,
  frozen: FrozenWrite,
  signal: AbortSignal,
): Promise<Outcome<void>> {
  const { instance, operation } = frozen.subject.target;
  const connection = opened.connections.get(instance);
  if (connection === undefined) return fail("internal", "the adapter has no connection");
  const captured = await connection.capture({ signal });
  if (!captured.ok) return captured;
  try {
    for (const target of listAccesses(operation, readFrozenInput(frozen))) {
      const allowed = await askAccess(captured.value, target, signal);
      if (!allowed.ok) return allowed;
      if (!allowed.value) {
        const what = [target.resource, target.subresource].filter((part) => part !== "").join("/");
        return fail("forbidden", `RBAC does not grant ${target.verb} on ${what} there`, {
          hint: `Ask whoever owns the cluster for the verb ${target.verb} on ${what}; nothing was frozen.`,
        });
      }
    }
    return succeed(undefined);
  } finally {
    await captured.value[Symbol.asyncDispose]();
  }
}
