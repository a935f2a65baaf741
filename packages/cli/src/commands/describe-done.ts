import type { WriteAnswer } from "@connectors/domain";
import type { JsonObject } from "@connectors/sdk";

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? Reflect.get(value, name)
    : undefined;
}

/** What an applied write did, in a few words. */
export function describeDone(operation: string, input: JsonObject, answer: WriteAnswer): string {
  if (operation === "deployment.rollout_restart") {
    const after = member(answer.result, "resource_version");
    const before = input["resource_version"];
    return typeof after === "string" && typeof before === "string"
      ? `restarted at ${before} → ${after}`
      : "restarted";
  }
  if (operation === "pods.exec") {
    const code = member(answer.result, "exit_code");
    const doubt =
      member(answer.result, "evidence") === "translated"
        ? " (the API server's word, not the kubelet's: over v5 it can be made up)"
        : "";
    return typeof code === "number" ? `exited with ${code}${doubt}` : "ran";
  }
  return "done";
}
