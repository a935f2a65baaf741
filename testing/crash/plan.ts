import type { ClusterAccess } from "../programs/cluster-host.js";

/** What one child process is told to do; it reads no environment. */
export interface ChildPlan extends ClusterAccess {
  readonly directory: string;
  /** The approver's private key file. */
  readonly keyFile: string;
  /** Prepared writes and their proofs, from before their commit to its answer. */
  readonly pending: string;
  readonly thread: "worker" | "caller";
  readonly workerUrl: string;
  /** The Deployments of namespace `web` to restart, a lane each. */
  readonly deployments: readonly string[];
  /** How many writes each lane commits before the process ends in order. */
  readonly writesPerLane: number;
  /** Which of a lane's writes names a version that is not current, so that it is refused. */
  readonly staleEvery: number;
  /** The process kills itself at the boundary with this number, counted from 1; null: never. */
  readonly killAt: number | null;
}

/** One line that a child writes before it goes on: what it was acknowledged, or where it is. */
export type ChildLine =
  | { readonly kind: "ready" }
  | { readonly kind: "boundary"; readonly number: number; readonly name: string }
  | { readonly kind: "record"; readonly sequence: number; readonly sha256: string }
  | {
      readonly kind: "attempt";
      readonly id: string;
      readonly state: string;
      readonly outcome: string | null;
    }
  | {
      readonly kind: "answer";
      readonly key: string;
      readonly classification: string;
      readonly attempt: string | null;
      readonly replayed: boolean;
    }
  | { readonly kind: "done" };
