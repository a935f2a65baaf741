export type { ContractCase } from "./contract-case.js";
export { makeManualAmbient, type ManualAmbient } from "./manual-ambient.js";
export { makeSystemAmbient } from "./system-ambient.js";
