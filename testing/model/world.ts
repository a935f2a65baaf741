import type { WriteState } from "@connectors/runtime";
import type { Ledger } from "./ledger.js";

/** A process: whether it runs, may still write, and who could take its lock. */
export interface ProcessState {
  readonly alive: boolean;
  readonly poisoned: boolean;
  /** `free`: anyone may take it, and so prove the process dead. `gone`: recovered. */
  readonly lock: "held" | "free" | "gone";
}

/** Where a caller's write is: in the runtime's own machine, or waiting for its answer, or dead. */
export type CallerState =
  | WriteState
  | { readonly at: "sent"; readonly dispatch: Extract<WriteState, { at: "dispatch" }> }
  | { readonly at: "killed" };

/** What the wire and the provider have of one write's request. */
export interface Wire {
  readonly sent: number;
  readonly inFlight: number;
  readonly applied: number;
  readonly response: "none" | "applied" | "refused";
}

/** Everything there is, at one moment. */
export interface World {
  readonly ledger: Ledger;
  /** By number, from 1. */
  readonly processes: ReadonlyMap<number, ProcessState>;
  readonly callers: readonly CallerState[];
  readonly wires: readonly Wire[];
  readonly day: 0 | 1;
  readonly crashesLeft: number;
  readonly faultsLeft: number;
}

/** One thing that can happen next. */
export interface Move {
  readonly label: string;
  readonly world: World;
  /** What the move itself broke, beside what its world breaks. */
  readonly broke?: string;
}
