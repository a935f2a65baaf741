import type { JsonObject } from "@connectors/sdk";

/** What a frozen write is about, in a few words: "deployment web/api". */
export function describeTarget(operation: string, input: JsonObject): string {
  const text = (name: string): string => {
    const value = input[name];
    return typeof value === "string" ? value : "";
  };
  const { command } = input;
  if (operation === "pods.exec" && Array.isArray(command)) {
    const program = JSON.stringify(command[0]);
    return `${program} in ${text("namespace")}/${text("pod")} (${text("container")})`;
  }
  if (operation === "deployment.rollout_restart") {
    return `deployment ${text("namespace")}/${text("name")}`;
  }
  return operation;
}
