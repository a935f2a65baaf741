import { auditCases } from "./journal-audit-cases.js";
import { beginCases } from "./journal-begin-cases.js";
import { beginRefusalCases } from "./journal-begin-refusal-cases.js";
import { capacityCases } from "./journal-capacity-cases.js";
import { durabilityCases } from "./journal-durability-cases.js";
import { gateCases } from "./journal-gate-cases.js";
import { keyCases } from "./journal-key-cases.js";
import { ownerCases } from "./journal-owner-cases.js";
import { queryCases } from "./journal-query-cases.js";
import { raceCases } from "./journal-race-cases.js";
import { recordCases } from "./journal-record-cases.js";
import { recoverCases } from "./journal-recover-cases.js";
import type { JournalCase } from "./journal-scene.js";
import { settleCases } from "./journal-settle-cases.js";

/** Every promise of the journal's port and of the locks beside it; every store runs all of them. */
export const journalContract: readonly JournalCase[] = [
  ...ownerCases,
  ...beginCases,
  ...beginRefusalCases,
  ...keyCases,
  ...gateCases,
  ...settleCases,
  ...recoverCases,
  ...recordCases,
  ...auditCases,
  ...capacityCases,
  ...queryCases,
  ...durabilityCases,
  ...raceCases,
];
