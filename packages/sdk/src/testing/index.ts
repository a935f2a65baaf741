export type { ContractCase } from "./contract-case.js";
export { httpCheckContract } from "./http-check-contract.js";
export type {
  FrameAct,
  HeaderPairs,
  HttpHarness,
  HttpScene,
  ObservedRequest,
  PeerAct,
  SwitchFault,
} from "./http-harness.js";
export { httpReaderContract } from "./http-reader-contract.js";
export { httpStreamContract } from "./http-stream-contract.js";
export { httpUpgradeContract } from "./http-upgrade-contract.js";
export { httpWriteContract } from "./http-write-contract.js";
export { makeManualAmbient, type ManualAmbient } from "./manual-ambient.js";
export { makeSystemAmbient } from "./system-ambient.js";
