export { journalContract } from "./journal-contract.js";
export { makeFaultyJournal, type FaultyJournal } from "./journal-faults.js";
export type { CommitFault, JournalHarness, JournalProcess } from "./journal-harness.js";
export type { JournalCase } from "./journal-scene.js";
