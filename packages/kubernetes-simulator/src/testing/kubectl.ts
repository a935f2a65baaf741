import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** A kubectl to run: the program and the arguments before its own. */
export interface Kubectl {
  readonly program: string;
  readonly before: readonly string[];
}

/** What a run of kubectl came to. */
export interface KubectlRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

// The client of the release that the simulator speaks, as the cluster rig builds it.
const RIG = join(".cache", "connectors-rig", "rig-1.35.4");

/**
 * The kubectl of this machine: `KUBECTL` (a program, arguments after spaces), else the cluster
 * rig's, else the first one on the path; undefined when there is none.
 */
export function findKubectl(
  environment: Readonly<Record<string, string | undefined>>,
): Kubectl | undefined {
  const [program, ...before] = (environment["KUBECTL"] ?? "").split(" ").filter(Boolean);
  if (program !== undefined) return { program, before };
  const rig = join(environment["HOME"] ?? homedir(), RIG);
  if (existsSync(rig)) return { program: rig, before: ["kubectl"] };
  const found = (environment["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "kubectl"))
    .find((path) => existsSync(path));
  return found === undefined ? undefined : { program: found, before: [] };
}

/** Runs kubectl to its end, or for `timeoutMs`, with a kubeconfig and a cache folder of its own. */
export async function runKubectl(
  kubectl: Kubectl,
  options: {
    readonly kubeconfigPath: string;
    readonly cachePath: string;
    readonly stdin?: string;
    readonly timeoutMs?: number;
    /** Ends a run that would go on for ever, once this holds of what it has written. */
    readonly until?: (stdout: string) => boolean;
  },
  argv: readonly string[],
): Promise<KubectlRun> {
  return await new Promise((resolve) => {
    const child = execFile(
      kubectl.program,
      [...kubectl.before, "--cache-dir", options.cachePath, ...argv],
      {
        env: { PATH: "/usr/bin:/bin", KUBECONFIG: options.kubeconfigPath },
        timeout: options.timeoutMs ?? 30_000,
        killSignal: "SIGTERM",
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ exitCode, stdout, stderr });
      },
    );
    child.stdin?.end(options.stdin ?? "");
    let written = "";
    child.stdout?.on("data", (text: string) => {
      written += text;
      if (options.until?.(written) === true) child.kill("SIGTERM");
    });
  });
}
