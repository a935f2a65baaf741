import { spawn } from "node:child_process";
import type { Flow } from "./flows.js";

/** How a flow ended. */
export interface FlowEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const flowMsMax = 90_000;

/** Runs one flow; an endless one is ended with SIGTERM once its output matches and it watches, and counts as 0. */
export function runFlow(
  kubectl: readonly string[],
  flow: Flow,
  place: {
    readonly kubeconfig: string;
    readonly cache: string;
    /** True once the cluster has been asked for a watch. */
    readonly watched: () => boolean;
  },
): Promise<FlowEnd> {
  const [program = "", ...words] = kubectl;
  const common = ["--kubeconfig", place.kubeconfig, "--cache-dir", place.cache, "-n", "web"];
  const child = spawn(program, [...words, ...common, ...flow.args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr, matched] = ["", "", false];
  const late = setTimeout(() => child.kill("SIGKILL"), flowMsMax);
  const look = setInterval(() => {
    if (flow.endless !== true || !flow.stdout.test(stdout) || !place.watched()) return;
    matched = true;
    child.kill("SIGTERM");
  }, 20);
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end(flow.stdin ?? "");
  return new Promise((done, broken) => {
    child.on("error", broken);
    child.on("close", (code) => {
      clearTimeout(late);
      clearInterval(look);
      done({ code: matched ? 0 : code, stdout, stderr });
    });
  });
}
