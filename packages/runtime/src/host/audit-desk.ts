import type { AuditPosition } from "@connectors/domain";
import type { Outcome } from "@connectors/sdk";
import { readAuditPages } from "../audit/audit-pages.js";
import { exportAudit, readAuditHead, type ExportOptions } from "../audit/export-audit.js";
import { verifyChain, type ChainVerdict } from "../audit/verify-chain.js";
import type { HostScope } from "./host-scope.js";

/** The audit chain. */
export interface AuditDesk {
  /** Whether the chain is whole, or the first record that does not fit. */
  verify(): Promise<Outcome<ChainVerdict>>;
  /** JSON Lines; a failure is the last thing that it yields. */
  export(options?: ExportOptions): AsyncGenerator<Outcome<string>, void, undefined>;
  /** Where the chain ends; null for an empty one. */
  head(): Promise<Outcome<AuditPosition | null>>;
}

/** The audit chain of this host's store. */
export function makeAuditDesk({ journal }: Pick<HostScope, "journal">): AuditDesk {
  return {
    verify: () => verifyChain(readAuditPages(journal)),
    export: (options) => exportAudit(journal, options),
    head: () => readAuditHead(journal),
  };
}
