import { storeDamageCases } from "./store-damage-cases.js";
import { storeFaultCases } from "./store-fault-cases.js";
import { storeFileCases } from "./store-file-cases.js";
import { storeLockCases } from "./store-lock-cases.js";
import type { StoreCase } from "./store-scene.js";

/** Every promise of a store in SQLite beyond the journal's port; both drivers run all of them. */
export const sqliteStoreContract: readonly StoreCase[] = [
  ...storeFileCases,
  ...storeDamageCases,
  ...storeFaultCases,
  ...storeLockCases,
];
