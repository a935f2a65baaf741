import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Outcome } from "@connectors/sdk";

/** A simulated cluster in another process, and a folder that goes with it. */
export interface BenchCluster {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  readonly pod: string;
  readonly kubeconfigFile: string;
  readonly folder: string;
  close(): void;
}

/** The value, or an error: nothing of a benchmark is expected to fail. */
export function must<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
}

/** Starts the cluster and waits until it says where it is. */
export async function openCluster(): Promise<BenchCluster> {
  const script = join(import.meta.dirname, "cluster-process.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise<string>((done, broken) => {
    lines.once("line", done);
    child.once("exit", (code) => broken(new Error(`the cluster ended with ${code}`)));
  });
  const facts = JSON.parse(line) as Omit<BenchCluster, "kubeconfigFile" | "folder" | "close"> & {
    readonly kubeconfig: string;
  };
  const folder = mkdtempSync(join(tmpdir(), "connectors-bench-"));
  const kubeconfigFile = join(folder, "cluster.yaml");
  writeFileSync(kubeconfigFile, facts.kubeconfig, { mode: 0o600 });
  return {
    ...facts,
    kubeconfigFile,
    folder,
    close() {
      child.kill("SIGTERM");
      lines.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
