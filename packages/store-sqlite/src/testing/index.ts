export { bindContracts, type BoundCase } from "./bound-contracts.js";
export { makeSqliteHarness } from "./sqlite-harness.js";
export { sqlDriverContract, type SqlDriverHarness } from "./sql-driver-contract.js";
export { sqliteStoreContract } from "./sqlite-store-contract.js";
export type { StoreCase, StoreHarness } from "./store-scene.js";
