import { makeJournalMachine } from "@connectors/runtime";
import type { Failure } from "@connectors/sdk";
import { chooseDriver } from "../driver/choose-driver.js";
import { makeLedger, type Ledger } from "../ledger/ledger.js";
import { openLedgerFile } from "../schema/open-ledger-file.js";
import type { LedgerSettings } from "./thread-messages.js";

/** A ledger on this thread; `busy` when another process holds the file for the moment. */
export type OpenedLedger =
  | { readonly kind: "open"; readonly ledger: Ledger }
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly failure: Failure };

/** Opens the ledger on the thread that calls. */
export function openLedger(settings: LedgerSettings): OpenedLedger {
  const driver = chooseDriver(settings.driver);
  if (!driver.ok) return { kind: "refused", failure: driver.failure };
  const { paths, create, nowMs, limits } = settings;
  const opened = openLedgerFile({ driver: driver.value, paths, create, nowMs });
  if (opened.kind !== "open") return opened;
  return { kind: "open", ledger: makeLedger(opened.connection, makeJournalMachine(limits)) };
}
