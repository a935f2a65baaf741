import type { JournalLimits } from "@connectors/runtime";
import type { Failure } from "@connectors/sdk";
import type { SqlDriverName } from "../driver/sql-driver.js";
import type { StorePaths } from "../files/store-paths.js";
import type { Batch } from "./ledger-thread.js";

/** What a ledger is opened with; plain data, so that it can be handed to a worker. */
export interface LedgerSettings {
  readonly driver: SqlDriverName;
  readonly paths: StorePaths;
  readonly create: boolean;
  readonly nowMs: number;
  readonly limits: JournalLimits;
}

/** To the ledger's thread. Every message has one reply, and waits for the last one's. */
export type ThreadMessage =
  | { readonly kind: "open"; readonly settings: LedgerSettings }
  | { readonly kind: "run"; readonly batch: Batch }
  | { readonly kind: "close" };

/** From the ledger's thread. */
export type ThreadReply =
  | { readonly kind: "opened" }
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly failure: Failure }
  | { readonly kind: "ran"; readonly text: string }
  | { readonly kind: "closed" };
